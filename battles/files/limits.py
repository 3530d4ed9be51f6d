"""Limits of a battle file: every bound of its figures, once. Inches, SP, game turns, percent."""

#: Strength points of a unit (AWI-T-STR-02), and below which it should be merged with another.
MAXIMUM_SP, COMBINE_BELOW_SP = 6, 3
MAXIMUM_UNITS, MAXIMUM_LEADERS, MAXIMUM_FEATURES = 1024, 256, 1000
#: Points of a piece of ground and of all together, and how often edges may cross.
MAXIMUM_POINTS, MAXIMUM_POINTS_IN_ALL, MAXIMUM_CROSSINGS = 500, 10_000, 5_000
#: Times one road may meet streams and rivers.
MAXIMUM_MEETINGS = 100
#: Entries of any other list, fields of an object, and values of a whole file.
MAXIMUM_ENTRIES, MAXIMUM_FIELDS, MAXIMUM_VALUES = 1024, 200, 60_000
#: Characters of an id, a name or a title, and of notes or a source.
LONGEST_NAME, LONGEST_NOTE = 200, 20_000
#: Game turns of a day, or in which a unit arrives or a plan changes (AWI-T-SCA-02).
MAXIMUM_TURNS = 144
#: What a table may be at the least and at the most, in inches; no spot lies further from it than `FAR`.
SHORTEST, LONGEST = 12, 1000
FAR = 4 * LONGEST
#: Contours of a hill, and SP of a structure or of 100 mm of it.
MAXIMUM_HEIGHT, MAXIMUM_STRUCTURE_SP = 9, 24
#: Inches a redoubt measures from end to end: a base at the least, the longest front of a fort at the most.
SMALLEST_REDOUBT, LARGEST_REDOUBT = 2, 60
#: Boldness of a plan to either side of 0, and explosive charges a wagon holds (AWI-T-EXP-01).
BOLDEST, MAXIMUM_CHARGES = 2, 6
#: Units of a brigadier and brigadiers of a senior (AWI-T-GEN-01).
BRIGADE, DIVISION = (3, 5), (2, 4)
#: Share of cavalry above which second charges outweigh everything (AWI-T-BAL-01).
CAVALRY_PERCENT = 20
