import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { previewCommission, refundSale, type Sale, type SaleLine, voidSale } from '#contract/sales.ts'
import { formatDate, formatDateAt, formatMoney, formatRate } from '../../format.ts'
import { ToPartner } from '../../shared/links.tsx'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { TestBadge } from '../../shared/TestBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { useStart } from '../../ui/actions.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { Name } from '../../ui/Name.tsx'
import { ActButton, LoadOnUse } from '../../ui/offers.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { tableWords } from '../../words/lists.ts'
import styles from './LeadSales.module.css'
import { type LayerShare, sumShares } from './layers.ts'
import { hasPayer, Payer } from './Payer.tsx'
import { commissionPreviewQuery, leadSalesQuery, receiptQuery, salesIn } from './queries.ts'
import { isAwaitingRate, isHeld, isVoid } from './sale-actions.ts'
import { saleActs } from './sale-acts.ts'
import { ToRates } from './Unearned.tsx'
import { inSentence, isPaymentProvider, providerLabel, refundAtProvider, saleName, shownCodes } from './words.ts'

type Props = {
  leadId: string
  /** True for partners: no actions, and no links to partners. */
  readOnly?: boolean
}

/** A lead's sales, one block each, with the commission of every layer. */
export function LeadSales({ leadId, readOnly = false }: Props) {
  const answer = useInfiniteQuery(leadSalesQuery(leadId))
  const wide = useMediaQuery('(min-width: 768px)')
  const sales = salesIn(answer.data?.pages)
  useNamedSale(sales !== undefined)
  const Rows = wide ? SaleTable : SaleCards
  return (
    <Panel heading={fieldWords.sales}>
      {!sales && <Pending answer={answer} rows={3} height={76} />}
      {sales?.length === 0 && <p className="inset muted">{readOnly ? saleWords.nonePartner : saleWords.none}</p>}
      {sales && sales.length > 0 && <Rows sales={sales} readOnly={readOnly} />}
      <ShowMore answer={answer}>{saleWords.more}</ShowMore>
      <LoadOnUse acts={[saleActs.match]} />
    </Panel>
  )
}

/** Scrolls to the sale named by a hash `#sale-…` once the sales are loaded. */
function useNamedSale(loaded: boolean) {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (!loaded || !hash.startsWith('sale-')) return
    const row = document.getElementById(hash)
    row?.scrollIntoView({ block: 'center' })
    row?.focus({ preventScroll: true })
  }, [loaded, hash])
}

const idOf = ({ id }: Sale) => `sale-${id}`

type RowsProps = {
  sales: Sale[]
  readOnly: boolean
}

function SaleTable({ sales, readOnly }: RowsProps) {
  // Between navigation and context there is no room: the status moves below the date, a rate below its partner.
  const roomy = useMediaQuery('(min-width: 1400px)')
  const may = usePermission()
  const stateOf = (sale: Sale) => <State sale={sale} readOnly={readOnly} />
  return (
    <PlainTable<Sale, LayerShare, PricedLine>
      label={fieldWords.sales}
      rows={sales}
      idOf={idOf}
      columns={[
        {
          head: fieldWords.saleDate,
          cell: (sale) => (
            <About sale={sale} readOnly={readOnly}>
              {!roomy && stateOf(sale)}
            </About>
          ),
        },
        ...(roomy ? [{ head: fieldWords.status, cell: stateOf }] : []),
        { head: fieldWords.amount, numeric: true, cell: (sale) => <Amount sale={sale} /> },
      ]}
      lines={{
        of: ({ commissions }) => sumShares(commissions),
        keyOf: (share) => `${share.layer} ${share.partnerId} ${share.status}`,
        none: (sale) => <Problem sale={sale} readOnly={readOnly} />,
        columns: [
          {
            head: fieldWords.layer,
            cell: (share) => (
              <>
                <Layer share={share} readOnly={readOnly} />
                {!roomy && <p className="muted small">{rateOf(share)}</p>}
              </>
            ),
          },
          ...(roomy ? [{ head: fieldWords.rate, numeric: true, cell: rateOf }] : []),
          {
            head: fieldWords.commission,
            numeric: true,
            cell: (share) => <Commission share={share} />,
          },
          { head: fieldWords.commissionStatus, cell: (share) => <ShareState share={share} readOnly={readOnly} /> },
        ],
      }}
      parts={{
        of: linesOf,
        keyOf: ({ line }) => line.id,
        columns: [
          { head: fieldWords.saleDate, cell: LineName },
          ...(roomy ? [{ head: fieldWords.status, cell: () => null }] : []),
          { head: fieldWords.amount, numeric: true, cell: LineAmount },
        ],
      }}
      after={
        readOnly || !may(voidSale)
          ? []
          : [
              {
                head: tableWords.actions,
                headHidden: true,
                numeric: true,
                cell: (sale) => <Actions sale={sale} />,
              },
            ]
      }
    />
  )
}

function SaleCards({ sales, readOnly }: RowsProps) {
  return (
    <ul aria-label={fieldWords.sales} className="items">
      {sales.map((sale) => (
        <li key={sale.id} id={idOf(sale)} tabIndex={-1} className="stack gap-2">
          <div className="row top">
            <About sale={sale} readOnly={readOnly} />
            <Amount sale={sale} />
            {!readOnly && <Actions sale={sale} />}
          </div>
          <State sale={sale} readOnly={readOnly} />
          {linesOf(sale).map((priced) => (
            <div key={priced.line.id} className="row top small">
              <LineName {...priced} />
              <LineAmount {...priced} />
            </div>
          ))}
          <ul className="stack gap-2">
            {sumShares(sale.commissions).map((share) => (
              <li key={`${share.layer} ${share.partnerId} ${share.status}`}>
                <div className="row top">
                  <Layer share={share} readOnly={readOnly} />
                  <Commission share={share} />
                </div>
                <div className="row">
                  <span className="muted">{rateOf(share)}</span>
                  <ShareState share={share} readOnly={readOnly} />
                </div>
              </li>
            ))}
          </ul>
          {sale.commissions.length === 0 && <Problem sale={sale} readOnly={readOnly} />}
        </li>
      ))}
    </ul>
  )
}

/** The sale's day, description and the rule that credited it; the other details are in the tooltip. */
function About({ sale, readOnly, children }: ProblemProps & { children?: ReactNode }) {
  const start = useStart()
  const { provider, description, externalId, saleDate, matchedBy, promotionCodes } = sale
  const source = isPaymentProvider(provider) && providerLabel(provider)
  const whole = [source, description, externalId].filter(Boolean).join(' · ')
  const matched = saleWords.matched[matchedBy ?? 'none']
  return (
    <div className={`rest ${styles.about}`} title={whole}>
      <strong>{formatDate(saleDate)}</strong>
      {children}
      <p className="lines muted plain small">{description ?? whole}</p>
      {promotionCodes.length > 0 && (
        <p className="lines muted plain small">{saleWords.codes({ codes: shownCodes(promotionCodes).join(', ') })}</p>
      )}
      {!readOnly && hasPayer(sale) && <Payer of={sale} />}
      {readOnly ? (
        matchedBy && <p className="muted plain small">{matched}</p>
      ) : (
        <button
          type="button"
          className={`small ${styles.opens}`}
          aria-haspopup="dialog"
          onClick={() => start(saleActs.match, sale)}
        >
          {matched}
        </button>
      )}
    </div>
  )
}

/** The net amount and, below it, refunds and the amount in the account's currency. */
function Amount({ sale }: { sale: Sale }) {
  const { amount, refundedAmount, currency, accountAmount, accountCurrency, fxRate } = sale
  if (amount === null) return basicWords.absent
  const foreign = currency !== accountCurrency && accountAmount !== null && fxRate !== null
  const shown = formatMoney(amount, currency, accountCurrency)
  return (
    <div className={styles.amount}>
      {isVoid(sale) ? <s className="muted">{shown}</s> : <strong>{shown}</strong>}
      {refundedAmount ? <p className="small error">{formatMoney(-refundedAmount, currency, accountCurrency)}</p> : null}
      {foreign && (
        <p className="muted small">
          {saleWords.converted({
            amount: formatMoney(accountAmount, accountCurrency),
            rate: Number(fxRate.toPrecision(6)),
          })}
        </p>
      )}
    </div>
  )
}

type PricedLine = { line: SaleLine; sale: Sale }

/** Returns the lines of a sale that has more than one; a single one is the sale itself. */
const linesOf = (sale: Sale): PricedLine[] => (sale.lines.length > 1 ? sale.lines.map((line) => ({ line, sale })) : [])

function LineName({ line }: PricedLine) {
  const name = line.name ?? line.productId ?? line.priceId ?? line.sku ?? saleWords.unnamedLine
  const { quantity } = line
  const shown = quantity === null || quantity === 1 ? name : saleWords.lineOf({ name, quantity })
  return <span className="rest lines muted plain">{shown}</span>
}

const LineAmount = ({ line, sale: { currency, accountCurrency } }: PricedLine) => (
  <span className="muted">{formatMoney(line.amount, currency, accountCurrency)}</span>
)

function Layer({ share, readOnly }: { share: LayerShare; readOnly: boolean }) {
  const { partnerId, partnerName, layer } = share
  return (
    <div className="rest">
      <Name>
        {saleWords.layer({ number: (layer ?? 0) + 1 })}
        {readOnly ? partnerName : <ToPartner id={partnerId}>{partnerName}</ToPartner>}
      </Name>
    </div>
  )
}

const rateOf = ({ rate }: LayerShare) => (rate === null ? basicWords.absent : formatRate(rate))

/** An amount that opens the receipt of the share's main entry. */
const Commission = ({ share }: { share: LayerShare }) => <MoneyLink of={{ ...share, id: share.entryId }} />

/** A share's status; held shares show until when. Why one is on hold is shown with its sale. */
function ShareState({ share: { status, availableAt, entryId }, readOnly }: { share: LayerShare; readOnly: boolean }) {
  const { timeZone } = useAccount()
  if (!status) return <span className="muted">{basicWords.absent}</span>
  return (
    <>
      <StatusBadge of="commission" status={status} />
      {status === 'held' && (
        <p className="muted small">{saleWords.until({ date: formatDateAt(availableAt, timeZone) })}</p>
      )}
      {status === 'on-hold' && readOnly && <OnHold entryId={entryId} timeZone={timeZone} />}
    </>
  )
}

/** The end of a review: a partner reads it per entry, because the sale does not include it for them. */
function OnHold({ entryId, timeZone }: { entryId: string; timeZone: string }) {
  const until = useQuery(receiptQuery(entryId)).data?.hold?.until
  return until && <p className="muted small">{saleWords.reviewUntil({ date: formatDateAt(until, timeZone) })}</p>
}

type ProblemProps = { sale: Sale; readOnly: boolean }

const problem = `row small warning ${styles.problem}`

/** The state of a sale, and why it is void or under review. */
function State({ sale, readOnly }: ProblemProps) {
  const { timeZone } = useAccount()
  const { status, livemode, hold, voidReason } = sale
  const reason = inSentence(hold?.reason ?? '')
  return (
    <div className="plain">
      <StatusBadge of="sale" status={status} /> <TestBadge livemode={livemode} />
      {voidReason && <p className="small">{voidReason}</p>}
      {hold?.policy === 'flag' && <p className={problem}>{saleWords.flagged({ reason })}</p>}
      {isHeld(sale) && (
        <div className={problem}>
          {hold?.until ? saleWords.held({ date: formatDateAt(hold.until, timeZone), reason }) : saleWords.heldPlain}
          {!readOnly && <ActButton small act={saleActs.release} of={sale} />}
        </div>
      )}
    </div>
  )
}

/** The reason there is no commission, with the remedy if there is one. */
function Problem({ sale, readOnly }: ProblemProps) {
  if (sale.hold?.policy === 'refuse')
    return <div className={problem}>{saleWords.refused({ reason: inSentence(sale.hold.reason) })}</div>
  if (!isAwaitingRate(sale))
    return readOnly || isVoid(sale) || !sale.partnerId ? (
      <span className="muted">{saleWords.noCommission}</span>
    ) : (
      <NoCommission sale={sale} />
    )
  return (
    <div className={problem}>
      {saleWords.waits({ currency: sale.currency.toUpperCase(), date: formatDate(sale.saleDate) })}
      {!readOnly && <ActButton small act={saleActs.rate} of={sale} />}
    </div>
  )
}

/** Checks per sale whether zero rates are the reason, since few of a partner's sales earn nothing. */
function NoCommission({ sale }: { sale: Sale }) {
  const may = usePermission()
  const { id: accountId } = useAccount()
  const { leadId, amount, currency, saleDate } = sale
  const { data } = useQuery({
    ...commissionPreviewQuery(accountId, { leadId: leadId ?? '', amount: amount ?? 0, currency, saleDate }),
    enabled: may(previewCommission) && leadId !== null && amount !== null && amount > 0,
  })
  const isZero = data?.unearned?.why === 'zero-rates'
  return (
    <div className={isZero ? problem : 'muted'}>
      {isZero ? saleWords.atZero : saleWords.noCommission}{' '}
      {isZero && <ToRates source={data?.unearned?.source ?? 'account'} of={sale} />}
    </div>
  )
}

function Actions({ sale }: { sale: Sale }) {
  const there = isVoid(sale) ? null : refundAtProvider(sale)
  return (
    <div className={styles.menu}>
      <ActionMenu
        small
        name={saleName(sale)}
        of={sale}
        actions={[there && { ...there, needs: refundSale }, saleActs.refund, saleActs.void, saleActs.restore]}
      />
    </div>
  )
}
