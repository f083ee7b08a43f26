import type { Queryable } from '../../platform/database/pool.ts'
import { type Metric, measuredTogether, toSamples } from '../../platform/metric.ts'

/** Counts of payouts that are not over. Paid and canceled ones only grow in number, and are not counted. */
export const payoutMeasures = (db: Queryable): Metric[] =>
  measuredTogether(
    () => countOpenPayouts(db),
    [
      {
        name: 'payouts',
        type: 'gauge',
        help: 'Payouts of the whole install that are under way, failed or returned, by state.',
        labels: ['state'],
        samples: (found) =>
          toSamples(
            'state',
            found.map(({ status, count }) => [status, count]),
          ),
      },
    ],
  )

/** Payouts in motion have their own index; failed ones are found account by account. */
const countOpenPayouts = (db: Queryable) => db.many<{ status: string; count: number }>`
  with moving as (
    select status, count(*) as count from payouts
    where status in ('approved', 'processing', 'awaiting-funding', 'sent', 'returned') group by status
  )
  select state as status, coalesce(count, 0) as count
  from unnest(array['approved', 'processing', 'awaiting-funding', 'sent', 'returned']) state
    left join moving on moving.status = state
  union all
  select 'failed', coalesce(sum(failed.count), 0)
  from accounts a cross join lateral (
    select account_id, count(*) as count from payouts p where p.account_id = a.id and p.status = 'failed' group by 1) failed`
