"""Proof of recorded rows beside the days: compared with the digests of the chain (HR-PRF-03)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaign.ledger.hash_chain import OF_COURSE, commit_to_rows, row_digests

#: Table, key and digests by field of a row a record vouches for.
Vouched = tuple[str, str, Mapping[str, str]]
#: The values of the rows there are, by table and key; a table that is not at hand is missing.
Rows = Mapping[str, Mapping[str, Mapping[str, Any]]]

#: The line of a record that is about itself and its campaign.
RECORD = "record"
#: The field of that line that tells which rows did not come with the campaign's archive.
ABSENT = "absent"
#: The field of that line that tells which tables the record vouches for; older records have none.
TABLES_NAMED = "tables"
#: What a row of a table is called in a sentence.
WORDS = {
    "papers": "order",
    "paper_states": "order",
    "battles": "battle",
    "replays": "replay of the battle",
    "entries": "entered result of the battle",
    "bulletins": "bulletin",
    "photos": "photograph of the battle",
    "letters": "letter",
    "letter_states": "letter",
    "tenures": "line of the seat history",
    "provisional": "provisional day",
}
#: Fields that name a person. An archive tells no persons, and of one brought in none is known.
PERSONS = frozenset(
    {"actor_id", "submitted_by_id", "settled_by_id", "user_id", "published_by_id", "author_id"}
)
#: Tables of which every finished row must be vouched for once a record names the tables it covers.
NAMED = ("paper_states", "letters")
#: The state that a row vouched for never leaves, by table. Orders do, when the campaign goes back.
STAYS = {"battles": "settled", "bulletins": "published"}


@dataclass
class RowCoverage:
    """Counts of the checked rows: `began` once a record vouches for any, `keys` are those vouched for.

    `named` when the head says which tables it vouches for: then orders in every state, and letters, of days
    that are played must be vouched for too. What is `OF_COURSE` is counted once, with the row it is of.

    `absent` are rows that did not come with the archive the campaign was brought in from: they are counted as
    being elsewhere.
    """

    absent: Collection[tuple[str, str]] = ()
    rows: int = 0
    unnamed: int = 0
    elsewhere: int = 0
    began: bool = False
    named: bool = False
    keys: set[tuple[str, str]] = field(default_factory=set)

    def fault(
        self,
        salt: str,
        promised: str,
        vouched: Sequence[Vouched],
        rows: Rows,
        own: Mapping[str, Any],
        *,
        on_course: bool,
    ) -> str:
        """Describe the difference from what a record vouches for, in a sentence; "" when there is none.

        `own` are the values of the record's own line. One that is not `on_course` was left by going back.
        """
        if commit_to_rows(salt, vouched) != promised:
            return "The digests of what was recorded are not those the chain vouches for."
        for table, key, digests in vouched:
            if table == RECORD:
                if on_course:  # the last of which is the head
                    self.named = TABLES_NAMED in digests
                wrong = self.differs(salt, digests, own)
                if wrong == ABSENT:
                    return "Rows are missing that were there when it was recorded."
                if wrong:
                    return f"The record has another {wrong} than was recorded."
                continue
            if table in OF_COURSE and not on_course:
                continue
            self.keys.add((table, key))
            values = rows.get(table, {}).get(key)
            if table not in rows or (values is None and (table, key) in self.absent):
                self.elsewhere += table not in OF_COURSE
                continue
            if values is None:
                return f"The {WORDS.get(table, table)} {key} is missing."
            if wrong := self.differs(salt, digests, values):
                return f"The {WORDS.get(table, table)} {key} has another {wrong} than was recorded."
            if (was := STAYS.get(table)) and values.get("state") != was:
                state = values.get("state")
                return f"The {WORDS[table]} {key} is “{state}”, but was {was} when it was recorded."
            self.rows += table not in OF_COURSE
        return ""

    def differs(self, salt: str, digests: Mapping[str, str], values: Mapping[str, Any]) -> str:
        """The first field whose value is not the one recorded, in words; "" for none.

        A field that is not at hand is passed over, and so is a person who is not named any more.
        """
        found = row_digests(salt, {name: value for name, value in values.items() if name in digests})
        for name, value in found.items():
            if value == digests[name]:
                continue
            if name in PERSONS and values[name] in (None, ""):
                self.unnamed += 1
                continue
            return name.removesuffix("_id").replace("_", " ")
        return ""
