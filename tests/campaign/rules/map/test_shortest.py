"""Our own search of ways against networkx's: the same ways, whichever of two equal ones it takes."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.rules.map.shortest import trace_way, tree_from, way_between

PLACES = [f"p{number}" for number in range(9)]
#: Few different costs, so that ties abound.
EDGES = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(PLACES), st.integers(1, 3)), min_size=4, max_size=30
)


def map_of(edges: list[tuple[str, str, int]], directed: bool) -> nx.Graph:
    graph: nx.Graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(PLACES)
    for start, end, cost in edges:
        if start != end and not graph.has_edge(start, end):
            graph.add_edge(start, end, minutes=cost)
    return graph


@given(
    EDGES,
    st.sampled_from(PLACES),
    st.sampled_from(PLACES),
    st.frozensets(st.sampled_from(PLACES), max_size=3),
)
@settings(max_examples=150, deadline=None)
def test_trees_take_the_ways_networkx_takes(
    edges: list[tuple[str, str, int]], start: str, end: str, shun: frozenset[str]
) -> None:
    graph = map_of(edges, directed=True)
    shun -= {start}
    costs, before = tree_from(
        start, lambda here: ((other, data["minutes"]) for other, data in graph.adj[here].items()), shun
    )
    view = nx.restricted_view(graph, shun, ())
    assert costs == nx.single_source_dijkstra_path_length(view, start, weight="minutes")
    expected = (
        tuple(nx.dijkstra_path(view, start, end, weight="minutes")[1:])
        if end in costs and end != start
        else None
    )
    assert trace_way(end, before) == expected


@given(EDGES, st.sampled_from(PLACES), st.integers(0, 6))
@settings(max_examples=50, deadline=None)
def test_a_limit_cuts_a_tree_short(edges: list[tuple[str, str, int]], start: str, limit: int) -> None:
    graph = map_of(edges, directed=False)
    costs, _ = tree_from(
        start, lambda here: ((other, data["minutes"]) for other, data in graph.adj[here].items()), limit=limit
    )
    assert costs == nx.single_source_dijkstra_path_length(graph, start, cutoff=limit, weight="minutes")


@given(
    EDGES,
    st.sampled_from(PLACES),
    st.sampled_from(PLACES),
    st.frozensets(st.sampled_from(PLACES), max_size=3),
)
@settings(max_examples=150, deadline=None)
def test_a_search_from_both_ends_takes_the_way_networkx_takes(
    edges: list[tuple[str, str, int]], start: str, goal: str, avoid: frozenset[str]
) -> None:
    """Up and down do not cost the same, as on a river."""
    graph = map_of(edges, directed=False)

    def cost(one: str, two: str) -> int:
        return int(graph.adj[one][two]["minutes"]) * (2 if one < two else 1)

    def weight(one: str, two: str, _data: object = None) -> int | None:
        return None if two in avoid and two != goal else cost(one, two)

    found = way_between(
        start,
        goal,
        lambda here: [(other, cost(here, other)) for other in graph.adj[here]],
        lambda here: [(other, cost(other, here)) for other in graph.adj[here]],
        avoid,
    )
    try:
        expected = nx.bidirectional_dijkstra(graph, start, goal, weight=weight)[1]
    except nx.NetworkXNoPath:
        expected = None
    assert found == expected
