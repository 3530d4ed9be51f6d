"""Static files as they are served: each by a name made of its contents."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

#: Our own modules; those of packages import by names that only a bundler knows.
OUR_SCRIPTS = "js/*.js"


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Our modules name the modules they import by their hashes too, so that no browser mixes two releases."""

    _, _imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns
    patterns = (*CompressedManifestStaticFilesStorage.patterns, (OUR_SCRIPTS, _imports))
