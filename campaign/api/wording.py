"""What the framework says of a body that is not as documented, as sentences that say what to send."""

from rest_framework import serializers

#: Choices that are named; longer lists stand in the document.
MOST_NAMED = 30
#: For each kind of field, the special before the general, its sentences by the framework's code.
WORDS: tuple[tuple[type[serializers.Field], dict[str, str]], ...] = (
    (
        serializers.Field,
        {"required": "It is needed; send it.", "null": "Send a value, or leave it out; null is none."},
    ),
    (serializers.CharField, {"invalid": "Send a text.", "blank": "Send a text that is not empty."}),
    (serializers.BooleanField, {"invalid": "Send true or false."}),
    (serializers.IntegerField, {"invalid": "Send a whole number."}),
    (serializers.FloatField, {"invalid": "Send a number."}),
    (serializers.DateTimeField, {"invalid": "Send a moment as 2026-05-01T18:00:00Z."}),
    (
        serializers.ListField,
        {"not_a_list": "Send a list, in square brackets; this is no list ({input_type})."},
    ),
    (
        serializers.ListSerializer,
        {"not_a_list": "Send a list, in square brackets; this is no list ({input_type})."},
    ),
    (
        serializers.DictField,
        {"not_a_dict": "Send an object with names, in braces; this is none ({input_type})."},
    ),
    (
        serializers.Serializer,
        {"invalid": "Send an object with named fields, in braces; this is none ({datatype})."},
    ),
    (
        serializers.FileField,
        {"required": "Send the file as multipart/form-data.", "empty": "The file is empty."},
    ),
)
BOUNDS = {"min_value": "Send {min_value} or more.", "max_value": "Send {max_value} or less."}


def worded(field: serializers.Field) -> None:
    """Give a field and those in it our sentences."""
    for kind, words in WORDS:
        if isinstance(field, kind):
            field.error_messages.update(words)
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = _choices(field)
    for validator in getattr(field, "validators", ()):
        for name, sentence in BOUNDS.items():
            if (bound := getattr(validator, "limit_value", None)) is not None and validator.code == name:
                validator.message = sentence.format(**{name: bound})
    for inner in (getattr(field, "child", None), *getattr(field, "fields", {}).values()):
        if inner is not None:
            worded(inner)


def _choices(field: serializers.ChoiceField) -> str:
    named = [str(key) for key in field.choices]
    if len(named) > MOST_NAMED or any("{" in each for each in named):
        return "“{input}” is none of those it may be; the document lists them."
    return f"“{{input}}” is none of: {', '.join(named)}."
