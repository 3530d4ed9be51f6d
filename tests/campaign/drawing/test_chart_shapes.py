"""Charts: shapes stay on their sheet and say what the figures say."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from campaign.selectors.army.chart_shapes import HEIGHT, WIDTH, ValueScale, causes_chart, course_chart
from campaign.selectors.army.strength_charts import CAUSES, CauseTally, SideFigures, WeekFigures

points = st.integers(0, 20_000)
tallies = st.builds(CauseTally, gains=st.integers(0, 2000), losses=st.integers(-2000, 0))
weeks = st.builds(
    WeekFigures,
    week=st.integers(0, 30),
    date=st.just(date(1777, 6, 15)),
    points=points,
    sp=points,
    units=st.integers(0, 300),
    causes=st.dictionaries(st.sampled_from(sorted(CAUSES)), tallies),
)
sides = st.builds(
    SideFigures, id=st.just("crown"), name=st.just("Crown"), tint=st.just("madder"),
    weeks=st.lists(weeks, max_size=25).map(tuple),
)  # fmt: skip


@given(st.lists(sides, max_size=2))
def test_a_course_stays_on_its_sheet(shown):
    chart = course_chart("Points", shown, "points")
    for line, side in zip(chart.lines, shown, strict=True):
        assert len(line.dots) == len(side.weeks)
        for dot in line.dots:
            assert 0 <= dot.x <= WIDTH and 0 <= dot.y <= HEIGHT
    assert all(0 <= tick.at <= HEIGHT for tick in chart.up)
    assert len(chart.along) <= 10


@given(sides)
def test_bars_stack_to_the_sums_of_their_week(side):
    chart = causes_chart("Won and lost", side)
    down = [sum(tally.losses for tally in week.causes.values()) for week in side.weeks[1:]]
    up = [sum(tally.gains for tally in week.causes.values()) for week in side.weeks[1:]]
    scale = ValueScale(min(down, default=0), max(up, default=0))
    for bar in chart.bars:
        assert bar.x >= 0 and bar.x + bar.width <= WIDTH
        assert bar.y >= scale.at(max(up)) - 0.2 and bar.y + bar.height <= scale.at(min(down)) + 0.2
    assert len(chart.bars) == sum(
        bool(tally.gains) + bool(tally.losses) for week in side.weeks[1:] for tally in week.causes.values()
    )


@given(st.integers(-20_000, 0), st.integers(0, 20_000))
def test_a_scale_has_few_round_figures_and_holds_all(low, high):
    scale = ValueScale(low, high)
    assert scale.low <= low and scale.high >= high
    assert 2 <= len(scale.ticks()) <= 8
    assert scale.at(scale.high) < scale.at(scale.low)


def test_a_bar_says_its_week_its_cause_and_its_points():
    day = date(1777, 6, 21)
    first = WeekFigures(0, day, 100, 5, 1)
    second = WeekFigures(1, day, 90, 4, 1, {"battle": CauseTally(0, -10)})
    chart = causes_chart("Won and lost", SideFigures("crown", "Crown", "madder", (first, second)))
    assert [bar.title for bar in chart.bars] == ["end of week 1, battle: \N{MINUS SIGN}10"]
    assert chart.causes == (("battle", "Battle"),)
