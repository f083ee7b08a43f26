import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { listPayouts } from '#contract/payouts.ts'
import type { Sale } from '#contract/sales.ts'
import { apiQuery, me } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { rangeIn } from '../../ui/date-ranges.ts'
import type { Needed } from '../../ui/permissions.ts'
import { addToastAction } from '../../ui/toasts.ts'
import { checklistWords } from '../../words/checklist.ts'
import { type FirstStep, firstSteps } from './first-steps.ts'
import { dashboardQuery } from './queries.ts'

type OfAccount = {
  client: QueryClient
  router: AnyRouter
  may: (call: Needed) => boolean
  account: { id: string; timeZone: string }
}

let end = () => {}

/**
 * From now on, on every screen, the toast of a first step that is done offers the next one, until all are done or the
 * checklist is hidden; that of a sale whose commission is due offers its payout.
 */
export function offerNextSteps(of: OfAccount) {
  end()
  end = of.client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const done = stepOfCall(event.mutation.meta?.call)
    // a step whose offer can't be read has its toast all the same
    if (done) offerNext(of, done, event.mutation.state.data).catch(() => undefined)
  })
}

const stepOfCall = (call: unknown) =>
  (Object.keys(firstSteps) as FirstStep[]).find((step) => firstSteps[step].calls.some(({ name }) => name === call))

async function offerNext({ client, router, may, account }: OfAccount, done: FirstStep, reply: unknown) {
  if (client.getQueryData(me.queryKey)?.preferences.checklist === 'hidden') return
  const steps = (await readSteps(client, account)).filter(({ step }) => may(firstSteps[step].calls[0]))
  if (steps.every((one) => one.done)) return
  const due = done === 'sale' && (reply as Sale).commissions.find(({ status }) => status === 'due')
  const payout = due && (await client.fetchQuery(openPayoutQuery(account.id, due.partnerId))).items[0]
  if (payout) {
    const go = () => router.navigate({ to: '/payouts/$payoutId', params: { payoutId: payout.id } })
    return addToastAction({ label: checklistWords.pay({ partner: payout.partnerName }), run: go })
  }
  const next = nextStep(steps, done)
  if (next) addToastAction({ label: checklistWords[next], run: () => router.navigate(firstSteps[next].place) })
}

/** Returns the first step that isn't done yet after this one, else before it. */
function nextStep(steps: Dashboard['checklist'], done: FirstStep) {
  const at = steps.findIndex(({ step }) => step === done)
  return [...steps.slice(at + 1), ...steps.slice(0, Math.max(at, 0))].find((one) => !one.done)?.step
}

/** Returns the steps as they are now; those known to be all done are not read again. */
async function readSteps(client: QueryClient, { id, timeZone }: OfAccount['account']) {
  const known = client.getQueriesData<Dashboard>({ queryKey: [getDashboard.name, { id }] })
  const complete = known.find(([, dashboard]) => dashboard?.checklist.every(({ done }) => done))?.[1]
  if (complete) return complete.checklist
  return (await client.fetchQuery(dashboardQuery(id, rangeIn({}, todayIn(timeZone))))).checklist
}

const openPayoutQuery = (accountId: string, partnerId: string) =>
  apiQuery(listPayouts, { params: { id: accountId }, query: { partnerId, status: 'open,due', limit: 1 } })
