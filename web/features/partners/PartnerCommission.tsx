import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { minorDigits } from '#contract/money.ts'
import type { Partner } from '#contract/partners.ts'
import { type CommissionPreview, previewCommission } from '#contract/sales.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { Pay, Terms, TermsState } from '#contract/terms.ts'
import { formatMoney, formatRate } from '../../format.ts'
import { termsLabel } from '../../shared/commission.ts'
import { GoalBars } from '../../shared/GoalBars.tsx'
import { TermsSentences } from '../../shared/TermsSentences.tsx'
import { termsStateQuery } from '../../shared/terms.ts'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { commissionWords } from '../../words/commissions.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'
import { termsWords } from '../../words/terms.ts'
import { nextSalePreviewQuery } from './queries.ts'

type Entry = CommissionPreview['entries'][number]

type Row = {
  key: string
  name: string
  entry: Pick<Entry, 'partnerId' | 'displayName' | 'amount'> | null
  /** Whether the layer earns if it has a partner. */
  pays: boolean
  rate: string
  sum?: boolean
}

/** The terms in force, who earns what from a sale of a hundred, and the goals. */
export function PartnerCommission({ partner }: { partner: Partner }) {
  const { id, accountId, effectiveCommissionSettings, stats } = partner
  const { currency } = stats
  const amount = 100 * 10 ** minorDigits(currency)
  const mayTry = usePermission()(previewCommission)
  const answer = useQuery({ ...nextSalePreviewQuery(accountId, id, amount), enabled: mayTry })
  const { data: state } = useQuery(termsStateQuery({ of: 'partner', id }))
  const rates = effectiveCommissionSettings?.layerRates ?? []
  const terms = state?.inForce.terms ?? simpleTerms({ layerRates: rates })
  const heading = labelWords.commission
  return (
    <PendingPanel
      heading={heading}
      answer={mayTry ? answer : { ...answer, data: null }}
      rows={rates.length + 1}
      aside={() => state && sourceInWords(state, currency)}
    >
      {(preview) => (
        <>
          {(terms.rules.length > 0 || !preview) && (
            <div className="inset">
              <TermsSentences terms={terms} currency={currency} />
            </div>
          )}
          {preview && (
            <PlainTable
              label={heading}
              rows={rowsOf(terms, preview.entries, partner)}
              keyOf={({ key }) => key}
              columns={columnsOf(id, currency, amount, preview.total)}
            />
          )}
          <GoalBars partnerId={id} currency={currency} reader="owner" className="inset-all" />
        </>
      )}
    </PendingPanel>
  )
}

function sourceInWords({ inForce: { source, sourceName, version, terms } }: TermsState, currency: string) {
  const from = {
    partner: partnerWords.commission.own,
    group: groupWords.from({ group: sourceName }),
    link: commissionWords.fromAccount,
    account: commissionWords.fromAccount,
  }[source]
  return `${termsLabel(terms, currency)} · ${from} · ${termsWords.version({ version })}`
}

/** Layers without pay name no partner, except the first, which is always the partner's own. */
function rowsOf({ rules, otherwise }: Terms, entries: Entry[], { id, displayName, stats }: Partner): Row[] {
  // a layer without a partner is known if every sale is paid alike
  const { layerRates = [], layerAmounts = [] }: Pay = rules.length > 0 ? {} : otherwise
  const count = Math.max(1, layerRates.length, layerAmounts.length, ...entries.map(({ layer }) => layer + 1))
  const layers = Array.from({ length: count }, (_, layer): Row => {
    const entry = entries.find((entry) => entry.layer === layer)
    const { rate, flat } = entry ?? { rate: layerRates[layer] ?? null, flat: layerAmounts[layer] ?? null }
    return {
      key: String(layer),
      name: commissionWords.layer({ number: layer + 1 }),
      entry: entry ?? (layer === 0 ? { partnerId: id, displayName, amount: 0 } : null),
      pays: (rate ?? flat ?? 0) > 0,
      rate: rate !== null ? formatRate(rate) : flat !== null ? formatMoney(flat, stats.currency) : basicWords.absent,
    }
  })
  const paid = entries.reduce((sum, { rate }) => sum + Math.round((rate ?? 0) * 10_000), 0) / 10_000
  const rate = entries.every(({ rate }) => rate !== null) ? formatRate(paid) : ''
  return [...layers, { key: 'sum', name: commissionWords.allLayers, entry: null, pays: false, rate, sum: true }]
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
      cell: ({ entry, pays, sum }) => {
        if (sum) return null
        if (!entry) return <span className="muted">{pays ? partnerWords.commission.nobody : basicWords.absent}</span>
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
      cell: ({ rate, entry, sum }) => (sum ? strong(rate) : entry ? rate : <span className="muted">{rate}</span>),
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
