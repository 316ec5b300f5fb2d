import {CampaignFileFromJSON, CampaignsApi, CompareApi, Configuration, ResponseError, ResultsApi} from './client';

declare const process: {argv: string[]};

const CAMPAIGN = {
  name: 'driven by TypeScript',
  cases: [0, 1, 2].map((i) => ({id: `case-${i}`, prompt: 'Capital of France?', checks: [{type: 'icontains', value: 'Paris'}]})),
  trials: 2,
  branches: [
    {id: 'right', kind: 'scripted', script: {answers: ['Paris.']}},
    {id: 'wrong', kind: 'scripted', script: {answers: ['Lyon.']}},
  ],
};

async function drive() {
  const configuration = new Configuration({basePath: process.argv[2]});
  const campaigns = new CampaignsApi(configuration);
  let campaign = await campaigns.createCampaign({campaignFile: CampaignFileFromJSON(CAMPAIGN)});
  const id = campaign.id;
  for (const until = Date.now() + 60_000; campaign.state !== 'COMPLETED';) {
    must(Date.now() < until, campaign.state);
    await new Promise((done) => setTimeout(done, 200));
    campaign = await campaigns.getCampaign({id});
  }
  const report = await campaigns.getReport({id});
  must(report.branches.map((b) => `${b.branchId} ${b.trialPassRate.value}`).join() === 'right 1,wrong 0', report.branches);
  const failed = await new ResultsApi(configuration).listOutcomes({id, passed: false});
  must(failed.items.map((o) => `${o.branchId} ${o.response}`).join() === Array(6).fill('wrong Lyon.').join(), failed);
  const comparison = await new CompareApi(configuration).compare({a: `${id}:right`, b: `${id}:wrong`});
  must(comparison.flips.map((flip) => flip.difference).join() === '-1,-1,-1', comparison);
  console.log(`TypeScript: campaign ${id} is ${campaign.state}; wrong instead of right is ${comparison.verdict}`);
}

function must(isSo: boolean, otherwise: unknown) {
  if (!isSo) throw new Error(JSON.stringify(otherwise));
}

drive().catch(async (e) => {
  console.error(e instanceof ResponseError ? await e.response.text() : e);
  throw new Error('TypeScript: the campaign was not driven');
});
