"""Where compiled kernels are kept: by the sources they are made of and no others."""

from pathlib import Path

from battles.engine.compile import ruleset_of, sources_digest


def sources(root: Path, **changed: str) -> Path:
    """A tree of an engine and two rulesets, some of whose sources say something else."""
    for name in ("engine/dice.py", "rulesets/awi/fire.py", "rulesets/volley_bayonet/combat.py"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed.get(path.stem, "pass"))
    return root


def test_a_ruleset_is_compiled_anew_for_itself_and_the_engine_alone(tmp_path: Path) -> None:
    before = sources(tmp_path / "before")
    for changed, awi, other in (("fire", False, True), ("combat", True, False), ("dice", False, False)):
        after = sources(tmp_path / changed, **{changed: "changed"})
        assert (sources_digest("awi", before) == sources_digest("awi", after)) is awi
        same = sources_digest("volley_bayonet", before) == sources_digest("volley_bayonet", after)
        assert same is other
        assert (sources_digest("", before) == sources_digest("", after)) is (changed != "dice")


def test_a_kernel_is_kept_with_its_ruleset() -> None:
    assert ruleset_of("battles.rulesets.awi.sequence") == "awi"
    assert ruleset_of("battles.rulesets.volley_bayonet.combat") == "volley_bayonet"
    assert ruleset_of("battles.engine.dice") == ruleset_of("battles.rulesets.registry") == ""
