"""Number: names of one and of several, the verbs that go with them, and counts of things."""

import re

#: What a name goes on with after its chief word: "Garrison of Fort Lee", "Posts about Amboy".
_TAIL = re.compile(r" \(| (?:of|about|with|under|from|at|in|near) ")
#: Chief words of names in the plural that have no s, and in the singular that have one.
_PLURAL = re.compile(r"(?:[a-z]*men|bateaux|foot guards|abenaki|cayuga|mississauga|mohawk|oneida|seneca)$")
_SINGULAR = re.compile(r"(?:ss|us|is|'s|corps|massachusetts|united states)$")
#: Peoples called by an adjective, who are several: the British, the French.
_PEOPLES = re.compile(r"(?:british|english|french|dutch|spanish|irish|scottish|welsh|swiss|portuguese)$")
#: Persons whose name ends like a plural, for a body may be called by its general's name alone.
_PERSON = re.compile(
    r"\b(?:adams|ames|barnes|brooks|chambers|charles|collins|daniels|edwards|evans|fellows|gates|hawkins|"
    r"higgins|hughes|jacobs|james|jenkins|jones|matthews|mathews|myers|nichols|parsons|perkins|peters|phillips|"
    r"rawlings|roberts|rogers|sanders|saunders|simmons|simonds|stephens|stevens|waters|watkins|williams)$"
)
#: Names of two bodies that share one noun: "1st and 3rd New York", "Cayuga and Onondaga".
_PAIR = re.compile(r"\d+(?:st|nd|rd|th) and \d|(?:Cayuga|Oneida|Abenaki|Seneca) and ")


def is_plural(name: str) -> bool:
    """True for a name that is spoken of as several: the Americans, Provincials and Canadians.

    A part named behind a comma counts alone: "16th Light Dragoons, first wing" is one.
    """
    if _PAIR.match(name):
        return True
    if _PEOPLES.match(name.strip().lower().removeprefix("the ")):
        return True
    chief = name.strip().rpartition(", ")[2] if "(" not in name else name
    chief = _TAIL.split(chief)[0].strip().lower()
    parts = [chief, *chief.split(" and ")[:-1]]  # "Grenadiers and Light Infantry"
    return any(_is_several(part) for part in parts)


def _is_several(words: str) -> bool:
    if _PLURAL.search(words):
        return True
    return words.endswith("s") and not _SINGULAR.search(words) and not _PERSON.search(words)


#: Words said of one, and of several.
_OF_SEVERAL = {
    "is": "are", "has": "have", "was": "were", "does": "do", "goes": "go",
    "its": "their", "itself": "themselves", "it": "they",
}  # fmt: skip


def said_of_several(words: str) -> str:
    """The plural of words said of one; verbs come first and after each "and" and "it"."""
    found = words.split(" ")
    said = []
    for number, (before, word) in enumerate(zip(["and", *found], found, strict=False), 1):
        if word in _OF_SEVERAL and (word != "it" or number < len(found)):  # "fords it" is said of another
            word = _OF_SEVERAL[word]
        elif before in ("and", "it"):
            word = re.sub(r"(?<=ch|sh|ss)es$|(?<=[^s])s$", "", re.sub(r"ies$", "ys", word))
        said.append(word)
    return " ".join(said)


class Subject(str):
    """A name that a sentence is about: `{name:arrives}` gives name and verb, agreeing in number.

    `{name:+halts}` gives the verb alone, for a second one; `{name}` is the name as ever.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        words = spec.removeprefix("+")
        said = said_of_several(words) if is_plural(self) else words
        return said if spec.startswith("+") else f"{self} {said}"


def format_amount(count: int, noun: str) -> str:
    """So many of something in figures: "1 ration", "20 rations"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
