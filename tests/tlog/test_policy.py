"""Policy files: whom an auditor trusts, and how many witnesses have to have signed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import MalformedInput
from fairdeal.tlog.policy import MAX_POLICY, Policy, Witness, parse_policy
from tests.tlog.signers import KEY, NEXT_KEY, WITNESSES

LOG = f"log {KEY.vkey}\n"
W = [f"witness w{at} {key.text} https://w{at}.example\n" for at, key in enumerate(WITNESSES)]
ALL = "".join(W)


@given(
    st.lists(st.sampled_from([KEY, NEXT_KEY]), min_size=1, unique=True),
    st.lists(st.sampled_from(WITNESSES), unique=True),
    st.data(),
)
def test_a_policy_is_read_as_it_was_written(keys, witnesses, data):
    url = st.sampled_from(["", "https://w.example/a", "http://127.0.0.1:7000"])
    named = tuple(Witness(key, data.draw(url)) for key in witnesses)
    quorum = data.draw(st.integers(0, len(named)))
    policy = Policy(tuple(key.verifying_key for key in keys), named, quorum)
    assert parse_policy(policy.text) == policy
    assert parse_policy(policy.text).text == policy.text


@pytest.mark.parametrize(
    ("end", "quorum", "counted"),
    [
        ("quorum none\n", 0, 3),
        ("quorum w1\n", 1, 1),
        ("group g any w0 w1 w2\nquorum g\n", 1, 3),
        ("group g all w0 w2\nquorum g\n", 2, 2),
        ("group g 2 w0 w1 w2\nquorum g\n", 2, 3),
    ],
)
def test_the_quorum_is_a_number_of_the_witnesses_that_it_names(end, quorum, counted):
    policy = parse_policy(LOG + ALL + end)
    assert (policy.quorum, len(policy.witnesses)) == (quorum, counted)
    assert policy.logs == (KEY.verifying_key,)


def test_comments_and_empty_lines_are_passed_over():
    assert parse_policy(f"# ours\n\n{LOG}  # also\nquorum none\n").quorum == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum none\n",
        LOG,
        LOG + "quorum w0\n",
        LOG + "quorum none\nquorum none\n",
        LOG + ALL + "quorum w0\nquorum w0\n",
        LOG + ALL + "group g 1 w0\nquorum g\nquorum g\n",
        LOG + ALL + "group g 4 w0 w1 w2\nquorum g\n",
        LOG + ALL + "group g 0 w0\nquorum g\n",
        LOG + ALL + "group g 1 w0 w0\nquorum g\n",
        LOG + ALL + "group g 1 w9\nquorum g\n",
        LOG + ALL + "group w0 1 w1\nquorum w0\n",
        LOG + ALL + "group g 1 w0\ngroup h 1 g\nquorum h\n",
        LOG + ALL + "group none 1 w0\nquorum none\n",
        LOG + ALL + "group g one w0\nquorum g\n",
        LOG + W[0] + W[0] + "quorum none\n",
        LOG + W[0].replace("https", "ftp") + "quorum none\n",
        LOG + W[0].replace(WITNESSES[0].text, KEY.vkey) + "quorum none\n",
        LOG + W[0].rstrip() + " more\nquorum none\n",
        LOG.replace("log ", "log x ") + "quorum none\n",
        LOG + "trust everybody\nquorum none\n",
        "#" * (MAX_POLICY + 1),
    ],
)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(MalformedInput) as refused:
        parse_policy(text)
    assert refused.value.code == "bad_policy"
