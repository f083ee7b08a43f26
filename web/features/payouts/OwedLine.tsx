import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { PayoutTotals } from '#contract/payouts.ts'
import { formatMoney, todayIn } from '../../format.ts'
import { payoutTotalsQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Failed, useSlow } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { payoutWords } from '../../words/payouts.ts'
import styles from './OwedLine.module.css'
import type { PayoutTab } from './queries.ts'

type Name = Exclude<keyof typeof payoutWords.owedLine, 'heading'>

/** The tab whose rows add up to each part, and its filter. */
const rowsOf: Record<Exclude<Name, 'paidThisYear'>, { tab: PayoutTab } & Record<string, string>> = {
  owed: { tab: 'books' },
  due: { tab: 'books' },
  notYetDue: { tab: 'books' },
  ready: { tab: 'needs-action', status: 'due' },
  blocked: { tab: 'upcoming', part: 'blocked' },
  awaitingFunding: { tab: 'needs-action', part: 'awaiting-funding' },
  inPayout: { tab: 'paid', part: 'in-payout' },
  overpaid: { tab: 'upcoming', part: 'overpaid' },
  held: { tab: 'upcoming', part: 'held' },
  onHold: { tab: 'upcoming', part: 'on-hold' },
  beingReturned: { tab: 'paid', part: 'being-returned' },
}

/** The sum owed to all partners and its parts, each of which leads to its rows. */
export function OwedLine({ accountId }: { accountId: string }) {
  const { timeZone } = useAccount()
  const { data, error, isFetching, refetch } = useQuery(payoutTotalsQuery(accountId))
  const slow = useSlow()
  if (!data && error)
    return (
      <div className="panel">
        <Failed onRetry={refetch} busy={isFetching} why={error.message} />
      </div>
    )
  if (!data)
    return (
      <div role="status" aria-label={basicWords.states.loading} className={`panel ${styles.owed} ${styles.waiting}`}>
        {slow && <span className="blank" />}
      </div>
    )
  const part = (name: Name) => ({ name, total: data[name], currency: data.currency })
  const year = todayIn(timeZone).slice(0, 4)
  return (
    <section aria-label={payoutWords.owedLine.heading} className={`panel ${styles.owed}`}>
      <div className="row between gap-3">
        <Sum of={part('owed')} parts={[part('due'), part('notYetDue')]} always={['owed', 'due']} large />
        <span className={styles.total}>
          <Part of={part('paidThisYear')} to={{ tab: 'paid', paidYear: year }} />
        </span>
      </div>
      <Sum
        of={part('due')}
        parts={[part('ready'), part('blocked'), part('awaitingFunding'), part('inPayout'), part('overpaid')]}
        minus="overpaid"
      />
      <div className="row between gap-3">
        <Sum of={part('notYetDue')} parts={[part('held'), part('onHold')]} />
        {data.beingReturned.amount !== 0 && (
          <span className={styles.total}>
            <Part of={part('beingReturned')} to={rowsOf.beingReturned} />
          </span>
        )}
      </div>
    </section>
  )
}

type Figure = { name: Name; total: PayoutTotals['owed']; currency: string }
type SumProps = { of: Figure; parts: readonly Figure[]; minus?: Name; always?: readonly Name[]; large?: boolean }

/** A sum and its parts; those of nothing are left out, and a line without any. */
function Sum({ of, parts, minus, always = [], large }: SumProps) {
  const shown = parts.filter(({ name, total }) => total.count > 0 || always.includes(name))
  if (shown.length === 0) return null
  return (
    <p className={large ? styles.large : 'small'}>
      {large ? <Part of={of} to={rowsOf.owed} /> : <span className="muted">{payoutWords.owedLine[of.name]}</span>}
      {shown.map((one, at) => (
        <span key={one.name}>
          {' '}
          <span className="muted">
            {at === 0 ? (one.name === minus ? '= −' : '=') : one.name === minus ? '−' : '+'}
          </span>{' '}
          <Part of={one} to={rowsOf[one.name as keyof typeof rowsOf]} />
        </span>
      ))}
    </p>
  )
}

function Part({ of: { name, total, currency }, to }: { of: Figure; to: LinkProps['search'] }) {
  return (
    <Link to="/payouts" search={to} className={styles.part}>
      <span className="muted">{payoutWords.owedLine[name]}</span> <strong>{formatMoney(total.amount, currency)}</strong>
    </Link>
  )
}
