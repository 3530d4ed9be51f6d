"""How random examples are drawn: the same everywhere in `make test`, fresh ones in `make prove`.

Hypothesis draws some values from the constants of the modules that happen to be loaded, so that even a
fixed seed gives other examples when other tests ran before. Repeated examples therefore do without them.
"""

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import engine, providers

#: Names of the profiles, for `--hypothesis-profile`.
REPEATED, FRESH = "repeated", "fresh"
#: Seconds for which a failing example may be made smaller; the library's own bound is 300.
SHRINKING_SECONDS = 20


def profiles_register() -> None:
    """Register both profiles and load the one that repeats."""
    # A busy machine is no fault of what is tested; slowness is measured by `make bench`.
    settings.register_profile(
        FRESH, derandomize=False, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile(REPEATED, settings.get_profile(FRESH), derandomize=True, database=None)
    settings.load_profile(REPEATED)


def examples_bound() -> None:
    """Bound shrinking, and keep repeated examples apart from what else is loaded; called once configured."""
    for module, name in ((engine, "MAX_SHRINKING_SECONDS"), (providers, "_get_local_constants")):
        if not hasattr(module, name):
            raise RuntimeError(f"Hypothesis has no {name} any more: find another way in random_examples.py.")
    engine.MAX_SHRINKING_SECONDS = SHRINKING_SECONDS
    if settings.default is not None and settings.default.derandomize:
        none = providers._local_constants
        providers._get_local_constants = lambda: none
