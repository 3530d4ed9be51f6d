"""The lists of the battle file's document are those of the code."""

from battles.engine.choices import format_choice
from battles.files.json_schema import FIELDS
from battles.files.reading import find_shipped_battles
from battles.files.reference_lists import GUIDE, guide_tables, rewrite_guide
from battles.files.schema import AREAS, LINES, SITES
from battles.ground.features import FIELDS_OF
from battles.rulesets import registry


def test_the_document_is_as_the_code_makes_it() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert rewrite_guide(text) == text, "run manage.py battleschema --write"


def test_fields_options_ground_and_battles_are_all_there() -> None:
    tables = guide_tables()
    for key, told in FIELDS.items():
        assert f"| `{key.split('.')[1]}` | {told.text} |" in tables, key
    for ruleset in registry.RULESETS:
        _, _, told = tables.partition(f"### {ruleset.title}\n")
        for name, option in registry.get_rules(ruleset.id).options.items():
            row = next(line for line in told.splitlines() if line.startswith(f"| `{name}` |"))
            assert row.endswith(f"| `{format_choice(option.default)}` | {option.rule} |")
    for kind in (*AREAS, *LINES, *SITES):
        row = next(line for line in tables.splitlines() if line.startswith(f"| `{kind}` |"))
        assert all((f"`{field}`" in row) == (kind in kinds) for field, kinds in FIELDS_OF.items())
    for name in find_shipped_battles():
        assert f"| `{name}` |" in tables
