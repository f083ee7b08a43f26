import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { minorDigits } from '#contract/money.ts'
import type { Partner } from '#contract/partners.ts'
import type { CommissionPreview } from '#contract/sales.ts'
import { formatMoney, formatRate } from '../../format.ts'
import { commissionLabel } from '../../shared/commission.ts'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { commissionWords } from '../../words/commissions.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { nextSalePreview } from './queries.ts'

type Row = {
  key: string
  name: string
  entry: CommissionPreview['entries'][number] | null
  rate: number
  sum?: boolean
}

/** The rates in force and who earns what from a sale of a hundred. */
export function PartnerCommission({ partner }: { partner: Partner }) {
  const { id, accountId, commissionSettings, effectiveCommissionSettings, stats } = partner
  const { currency } = stats
  const amount = 100 * 10 ** minorDigits(currency)
  const answer = useQuery(nextSalePreview(accountId, id, amount))
  const rates = effectiveCommissionSettings?.layerRates ?? []
  const heading = labelWords.commission
  const source = commissionSettings ? partnerWords.commission.own : commissionWords.fromAccount
  return (
    <PendingPanel
      heading={heading}
      answer={answer}
      rows={rates.length + 1}
      aside={() => `${commissionLabel(rates)} · ${source}`}
    >
      {({ entries, total }) => (
        <PlainTable
          label={heading}
          rows={rowsOf(rates, entries, partner)}
          keyOf={({ key }) => key}
          columns={columnsOf(id, currency, amount, total)}
        />
      )}
    </PendingPanel>
  )
}

/** Layers without a rate name no partner, except the first, which is always the partner's own. */
function rowsOf(rates: readonly number[], entries: CommissionPreview['entries'], { id, displayName }: Partner): Row[] {
  const layers = rates.map((rate, layer) => ({
    key: String(layer),
    name: commissionWords.layer({ number: layer + 1 }),
    entry:
      entries.find((entry) => entry.layer === layer) ??
      (layer === 0 ? { layer, partnerId: id, displayName, rate, flat: null, amount: 0 } : null),
    rate,
  }))
  const paid = layers.reduce((sum, { entry }) => sum + (entry?.rate ?? 0), 0)
  return [...layers, { key: 'sum', name: commissionWords.allLayers, entry: null, rate: paid, sum: true }]
}

function columnsOf(partnerId: string, currency: string, example: number, total: number): Column<Row>[] {
  const strong = (text: string) => <strong>{text}</strong>
  return [
    {
      head: partnerWords.commission.onSale({ amount: formatMoney(example, currency) }),
      cell: ({ name }) => name,
    },
    {
      head: partnerWords.commission.paidTo,
      cell: ({ entry, rate, sum }) => {
        if (sum) return null
        if (!entry)
          return <span className="muted">{rate > 0 ? partnerWords.commission.nobody : basicWords.absent}</span>
        if (entry.partnerId === partnerId) return <strong className="lines">{entry.displayName}</strong>
        return (
          <Link to="/partners/$partnerId" params={{ partnerId: entry.partnerId }} className="lines strong">
            {entry.displayName}
          </Link>
        )
      },
    },
    {
      head: fieldWords.rate,
      numeric: true,
      cell: ({ rate, entry, sum }) =>
        sum ? strong(formatRate(rate)) : entry ? formatRate(rate) : <span className="muted">{formatRate(rate)}</span>,
    },
    {
      head: fieldWords.amount,
      numeric: true,
      cell: ({ entry, sum }) => {
        if (sum) return strong(formatMoney(total, currency))
        return entry ? formatMoney(entry.amount, currency) : <span className="muted">{basicWords.absent}</span>
      },
    },
  ]
}
