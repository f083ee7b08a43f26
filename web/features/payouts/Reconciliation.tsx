import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  confirmPayoutReconciliation,
  type PayoutReconciliation,
  type ReconciliationTransfer,
  startPayoutReconciliation,
  type TransferDecision,
} from '#contract/payout-reconciliation.ts'
import { useCall } from '../../calls.ts'
import { formatMoney, formatShortDate } from '../../format.ts'
import { useFreshProof } from '../../shared/FreshProof.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { attemptLabel } from './Attempts.tsx'
import { reconciliationQuery } from './queries.ts'
import styles from './Reconciliation.module.css'
import { numberOf } from './words.ts'

type Decisions = Readonly<Record<string, Partial<Omit<TransferDecision, 'transferId'>>>>

/** Transfers decided on per call; the rest follow afterwards. */
const AT_ONCE = 100

/** Compares payments with the ledger while payouts are paused: nothing is sent before the owner has decided. */
export function Reconciliation() {
  const { id } = useAccount()
  const answer = useQuery(reconciliationQuery(id))
  const [decisions, setDecisions] = useState<Decisions>({})
  const fresh = useFreshProof()
  const start = useCall(startPayoutReconciliation)
  const confirm = useCall(confirmPayoutReconciliation, {
    onSuccess({ pausedAt }) {
      setDecisions({})
      if (!pausedAt) showToast(payoutWords.reconciliation.resumed)
    },
  })
  const { data } = answer
  const unknown = data?.transfers.filter(({ finding }) => finding === 'unknown') ?? []
  const others = data?.transfers.filter(({ finding }) => finding !== 'unknown') ?? []
  const decided = unknown.slice(0, AT_ONCE).flatMap((transfer) => decisionOf(transfer, decisions[transfer.transferId]))
  const isReady = data?.readAt && decided.length === Math.min(unknown.length, AT_ONCE)
  return (
    <Page
      heading={pageWords.reconciliation}
      parent={<Link to="/payouts">{pageWords.payouts}</Link>}
      actions={
        data?.pausedAt && (
          <>
            <Button
              needs={startPayoutReconciliation}
              busy={start.busy}
              onClick={() => start.mutate({ params: { id } })}
            >
              {payoutWords.reconciliation.readAgain}
            </Button>
            <Button
              look="primary"
              needs={confirmPayoutReconciliation}
              busy={confirm.busy}
              disabled={!isReady}
              onClick={async () => {
                if (await fresh.ask(payoutWords.reconciliation.password))
                  confirm.mutate({ params: { id }, body: { decisions: decided } })
              }}
            >
              {payoutWords.reconciliation.resume}
            </Button>
          </>
        )
      }
    >
      {data ? <ReconciliationState data={data} /> : <Pending answer={answer} rows={4} />}
      {(confirm.error ?? start.error) && (
        <Message kind="error">{explainRefusal((confirm.error ?? start.error)!)}</Message>
      )}
      {data && unknown.length > 0 && (
        <Panel heading={payoutWords.reconciliation.unknown}>
          <p className="muted inset">{payoutWords.reconciliation.unknownWhy}</p>
          <ul>
            {unknown.map((transfer) => (
              <Unknown
                key={transfer.transferId}
                transfer={transfer}
                currency={data.currency}
                decision={decisions[transfer.transferId] ?? {}}
                onDecide={(decision) => setDecisions((all) => ({ ...all, [transfer.transferId]: decision }))}
              />
            ))}
          </ul>
        </Panel>
      )}
      {data && others.length > 0 && <Others transfers={others} currency={data.currency} />}
      {fresh.dialog}
    </Page>
  )
}

/** Returns the decision to send, or none while it is incomplete. */
function decisionOf(
  { transferId, partnerId }: ReconciliationTransfer,
  decision: Decisions[string] = {},
): TransferDecision[] {
  const { action } = decision
  const chosen = decision.partnerId ?? partnerId ?? undefined
  if (!action || (action === 'record' && !chosen)) return []
  return [{ transferId, action, ...(action === 'record' && { partnerId: chosen }) }]
}

function ReconciliationState({ data: { pausedAt, readAt, problem, counts } }: { data: PayoutReconciliation }) {
  const { timeZone } = useAccount()
  if (!pausedAt) return <Message kind="success">{payoutWords.reconciliation.notPaused}</Message>
  return (
    <>
      <Message kind="warning">{payoutWords.reconciliation.paused({ at: formatShortDate(pausedAt, timeZone) })}</Message>
      <Message kind="info">{payoutWords.reconciliation.byHand}</Message>
      {problem ? (
        <Message kind="error">{payoutWords.reconciliation.problem({ reason: problem })}</Message>
      ) : readAt ? (
        <Message kind="info">{payoutWords.reconciliation.same({ count: counts.same })}</Message>
      ) : (
        <Message kind="info">{payoutWords.reconciliation.reading}</Message>
      )}
    </>
  )
}

const amountOf = ({ amount }: ReconciliationTransfer, currency: string) =>
  amount === null ? basicWords.absent : formatMoney(amount, currency)

const nameOf = ({ reference, transferId }: ReconciliationTransfer) => reference ?? transferId

type UnknownProps = {
  transfer: ReconciliationTransfer
  currency: string
  decision: Decisions[string]
  onDecide: (decision: Decisions[string]) => void
}

function Unknown({ transfer, currency, decision, onDecide }: UnknownProps) {
  const { id: accountId, timeZone } = useAccount()
  const { transferId, madeAt, state, partnerId, partnerName } = transfer
  const name = nameOf(transfer)
  const may = usePermission()
  return (
    <li className={`grid gap-3 ${styles.item}`}>
      <div>
        <strong>{payoutWords.reconciliation.line({ name, amount: amountOf(transfer, currency) })}</strong>
        <p className="muted small">
          {[
            madeAt && formatShortDate(madeAt, timeZone),
            state && attemptLabel(state),
            payoutWords.reconciliation.number({ id: transferId }),
            partnerName && payoutWords.reconciliation.to({ name: partnerName }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {may(confirmPayoutReconciliation) && (
        <SelectField
          id={`decision-${transferId}`}
          name={`decision-${transferId}`}
          label={payoutWords.reconciliation.decision({ name })}
          value={decision.action ?? null}
          placeholder={payoutWords.reconciliation.choose}
          choices={[
            { value: 'record', label: payoutWords.reconciliation.record },
            { value: 'dismiss', label: payoutWords.reconciliation.dismiss },
          ]}
          onChange={(action) => onDecide({ ...decision, action: action ?? undefined })}
          onBlur={() => {}}
        />
      )}
      {decision.action === 'record' && !partnerId && (
        <PartnerField
          id={`partner-${transferId}`}
          name={`partner-${transferId}`}
          label={payoutWords.reconciliation.partner({ name })}
          accountId={accountId}
          value={decision.partnerId ?? null}
          onChange={(chosen) => onDecide({ ...decision, partnerId: chosen ?? undefined })}
          onBlur={() => {}}
        />
      )}
    </li>
  )
}

/** Items that need no decision: payouts that match their transfer, and transfers that do not exist. */
function Others({ transfers, currency }: { transfers: ReconciliationTransfer[]; currency: string }) {
  const heading = payoutWords.reconciliation.others
  return (
    <Panel heading={heading}>
      <PlainTable
        label={heading}
        rows={transfers}
        keyOf={({ transferId }) => transferId}
        columns={[
          { head: fieldWords.payout, cell: (row) => <Named transfer={row} /> },
          {
            head: fieldWords.partner,
            wideOnly: true,
            cell: ({ partnerName }) => partnerName ?? basicWords.absent,
          },
          { head: fieldWords.amount, numeric: true, cell: (row) => amountOf(row, currency) },
          {
            head: payoutWords.reconciliation.there,
            cell: ({ state }) => (state ? attemptLabel(state) : basicWords.absent),
          },
          {
            head: payoutWords.reconciliation.here,
            wideOnly: true,
            cell: ({ recordedState }) => (recordedState ? attemptLabel(recordedState) : basicWords.absent),
          },
          {
            head: fieldWords.result,
            cell: ({ finding }) => payoutWords.reconciliation.findings[finding],
          },
        ]}
      />
    </Panel>
  )
}

function Named({ transfer }: { transfer: ReconciliationTransfer }) {
  const { payoutId, statementNumber } = transfer
  if (!payoutId || statementNumber === null) return nameOf(transfer)
  return (
    <Link to="/payouts/$payoutId" params={{ payoutId }}>
      {numberOf({ statementNumber })}
    </Link>
  )
}
