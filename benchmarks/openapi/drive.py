"""Drives a campaign with the client that openapi-generator made for Python: create, wait, report, outcomes, compare."""
import sys
import time

from openapi_client import ApiClient, CampaignFile, CampaignsApi, CompareApi, Configuration, ResultsApi

CAMPAIGN = {
    "name": "driven by Python",
    "cases": [{"id": f"case-{i}", "prompt": "Capital of France?", "checks": [{"type": "icontains", "value": "Paris"}]} for i in range(3)],
    "trials": 2,
    "branches": [
        {"id": "right", "kind": "scripted", "script": {"answers": ["Paris."]}},
        {"id": "wrong", "kind": "scripted", "script": {"answers": ["Lyon."]}},
    ],
}

client = ApiClient(Configuration(host=sys.argv[1]))
campaigns, results, compare = CampaignsApi(client), ResultsApi(client), CompareApi(client)

file = CampaignFile.from_dict(CAMPAIGN)
campaign = campaigns.create_campaign(file)
until = time.monotonic() + 60
while campaign.state != "COMPLETED":
    assert time.monotonic() < until, campaign.state
    time.sleep(0.2)
    campaign = campaigns.get_campaign(campaign.id)
report = campaigns.get_report(campaign.id)
rates = {branch.branch_id: branch.trial_pass_rate.value for branch in report.branches}
assert rates == {"right": 1, "wrong": 0}, rates
failed = results.list_outcomes(campaign.id, passed=False)
assert [(o.branch_id, o.response) for o in failed.items] == [("wrong", "Lyon.")] * 6, failed
comparison = compare.compare(f"{campaign.id}:right", f"{campaign.id}:wrong")
assert [flip.difference for flip in comparison.flips] == [-1] * 3, comparison
print(f"Python: campaign {campaign.id} is {campaign.state}; wrong instead of right is {comparison.verdict}")
