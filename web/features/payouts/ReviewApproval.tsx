import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatList, formatNumber, labelInSentence } from '#contract/format.ts'
import {
  type ApprovalPreview,
  type ApprovalResults,
  approvePayouts,
  MOST_APPROVED,
  type Payout,
} from '#contract/payouts.ts'
import { useCall } from '../../calls.ts'
import { formatMoney, formatSum } from '../../format.ts'
import { useFreshProof } from '../../shared/FreshProof.tsx'
import { statusLabel } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { dialogWords } from '../../words/pieces.ts'
import { twoApprovalsWords } from '../../words/two-approvals.ts'
import { Figure } from './Figure.tsx'
import { PayoutRow, PayoutRows } from './PayoutRows.tsx'
import { approvalPreviewQuery, attentionQuery } from './queries.ts'
import styles from './ReviewApproval.module.css'
import { blockerLine, howPaid, numberOf } from './words.ts'

type Props = {
  /** No more than one call accepts. */
  payouts: readonly Payout[]
  /** The number of further payouts selected, for a next round. */
  others?: number
  onClose: () => void
  onApproved?: (approved: readonly Payout[]) => void
}

/** Shows count, sum, fees and exclusions before any money moves. */
export function ReviewApproval({ payouts, others = 0, onClose, onApproved }: Props) {
  const { id: accountId } = useAccount()
  // recently changed details may be an attacker's: paying to them must be chosen
  const [without, setWithout] = useState<ReadonlySet<string>>(
    () => new Set(payouts.filter((payout) => changeOf(payout)).map(({ id }) => id)),
  )
  const wanted = payouts.filter(({ id }) => !without.has(id))
  const result = useQuery({
    ...approvalPreviewQuery(
      accountId,
      wanted.map(({ id }) => id),
    ),
    enabled: wanted.length > 0,
    placeholderData: keepPreviousData,
  })
  const preview = wanted.length > 0 ? result : { ...result, error: null, data: nothing }
  const isLow = useQuery(attentionQuery(accountId)).data?.items.some(
    ({ kind, method }) => kind === 'fund' && method === 'wise',
  )
  const [refused, setRefused] = useState(0)
  const fresh = useFreshProof()
  const approve = useCall(approvePayouts, {
    onSuccess(reply) {
      const { results } = reply as ApprovalResults
      const failed = results.filter(({ error }) => error).length
      const firsts = results.filter(({ status, error }) => !error && status === 'due').length
      const done = results.length - failed - firsts
      if (done > 0) showToast(payoutWords.review.done({ count: done, amount: sumOf(results), next: nextOf(results) }))
      if (firsts > 0) showToast(twoApprovalsWords.needMore({ count: firsts }))
      const approved = new Set(results.filter(({ error }) => !error).map(({ id }) => id))
      onApproved?.(payouts.filter(({ id }) => approved.has(id)))
      if (failed === 0) return onClose()
      setRefused(failed)
    },
  })
  const currency = payouts[0]?.currency ?? 'usd'
  const sumOf = (results: ApprovalResults['results']) => {
    const good = new Set(results.filter(({ status, error }) => !error && status !== 'due').map(({ id }) => id))
    const sum = payouts.reduce((total, { id, amount }) => total + (good.has(id) ? amount : 0), 0)
    return formatMoney(sum, currency)
  }
  /** Returns the next step for those just approved. */
  const nextOf = (results: ApprovalResults['results']) => {
    const good = new Set(results.filter(({ status, error }) => !error && status !== 'due').map(({ id }) => id))
    const approved = payouts.filter(({ id }) => good.has(id))
    const waits = isLow && approved.some(({ method }) => method === 'wise')
    return labelInSentence(waits ? payoutWords.payOnWise : howPaid(approved))
  }
  const { data } = preview
  const excluded = new Set(data?.excluded.map(({ id }) => id))
  const included = wanted.filter(({ id }) => !excluded.has(id))
  const firstApprovers = [...new Set(included.flatMap(({ firstApproval }) => firstApproval?.name ?? []))]
  const choosable = payouts.filter(({ id }) => !excluded.has(id))
  const choose = (id: string, chosen: boolean) =>
    setWithout((before) => {
      const next = new Set(before)
      if (chosen) next.delete(id)
      else next.add(id)
      return next
    })
  const chosen = data ? data.count + data.firstApprovals : 0
  const heading = payouts.length === 1 ? payoutWords.review.one : payoutWords.review.heading
  const needsPassword = data?.excluded.some(({ error }) => error.code === 'recent_sign_in_required')

  return (
    <Dialog heading={heading} onClose={onClose} busy={approve.busy} wide>
      {others > 0 && <Message kind="info">{payoutWords.review.others({ count: others, most: MOST_APPROVED })}</Message>}
      {refused > 0 && <Message kind="error">{payoutWords.review.refused({ count: refused })}</Message>}
      {approve.error && <Message kind="error">{explainRefusal(approve.error)}</Message>}
      {!data && <Pending answer={preview} rows={4} />}
      {data && (
        <>
          <Sums preview={data} currency={currency} />
          {firstApprovers.length > 0 && <p>{twoApprovalsWords.approvedFirst({ names: formatList(firstApprovers) })}</p>}
          {choosable.length > 0 ? (
            <Rows payouts={choosable} without={without} onChoose={choose} />
          ) : (
            <p>{payoutWords.review.none}</p>
          )}
          {isLow && <LowBalance payouts={included} />}
          {needsPassword && (
            <Message
              kind="info"
              action={
                <Button small onClick={async () => (await fresh.ask()) && preview.refetch()}>
                  {payoutWords.review.confirm}
                </Button>
              }
            >
              {payoutWords.review.confirmPassword}
            </Message>
          )}
          <LeftOut preview={data} payouts={payouts} />
        </>
      )}
      <DialogActions note={data && data.count > 0 && howPaid(included)}>
        <Button
          look="primary"
          busy={approve.busy}
          disabled={!data || chosen === 0 || preview.isFetching}
          onClick={() =>
            approve.mutate({
              params: { id: accountId },
              body: {
                ids: included.map(({ id }) => id),
                shown: included.map(({ id, amount, payAmount, detailsVersion }) => ({
                  id,
                  amount,
                  payAmount,
                  detailsVersion,
                })),
              },
            })
          }
        >
          {payoutWords.review.approve({ count: data ? chosen : payouts.length })}
        </Button>
        <Button data-first-focus disabled={approve.busy} onClick={onClose}>
          {dialogWords.cancel}
        </Button>
      </DialogActions>
      {fresh.dialog}
    </Dialog>
  )
}

/** Warns that these payouts will wait for money, if the balance is too low for others already. */
function LowBalance({ payouts }: { payouts: readonly Payout[] }) {
  const byWise = payouts.filter(({ method }) => method === 'wise')
  if (byWise.length === 0) return null
  const amount = formatSum(byWise.map(({ payAmount: amount, currency }) => ({ amount, currency })))
  return (
    <Message
      kind="warning"
      action={
        <a href="https://wise.com/" target="_blank" rel="noreferrer">
          {payoutWords.payOnWise}
        </a>
      }
    >
      {payoutWords.review.lowBalance({ amount })}
    </Message>
  )
}

/** The preview once every payout is deselected. */
const nothing: ApprovalPreview = {
  payouts: [],
  count: 0,
  amount: 0,
  payAmount: 0,
  firstApprovals: 0,
  feeEstimate: null,
  excluded: [],
}

export function Sums({ preview, currency }: { preview: ApprovalPreview; currency: string }) {
  const { count, amount, payAmount, firstApprovals, feeEstimate } = preview
  const sums = [
    { label: fieldWords.payouts, value: formatNumber(count) },
    { label: payoutWords.review.toPartners, value: formatMoney(amount, currency) },
    ...(payAmount > amount ? [{ label: payoutWords.review.withVat, value: formatMoney(payAmount, currency) }] : []),
    ...(firstApprovals > 0 ? [{ label: twoApprovalsWords.firstApprovals, value: formatNumber(firstApprovals) }] : []),
    ...(feeEstimate === null ? [] : [{ label: payoutWords.review.fees, value: formatMoney(feeEstimate, currency) }]),
  ]
  return (
    <dl className={`row ${styles.sums}`}>
      {sums.map(({ label, value }) => (
        <Figure key={label} label={label}>
          {value}
        </Figure>
      ))}
    </dl>
  )
}

type RowsProps = {
  payouts: readonly Payout[]
  without: ReadonlySet<string>
  onChoose: (id: string, chosen: boolean) => void
}

/** Lets each of several payouts be deselected; the sums follow. */
function Rows({ payouts, without, onChoose }: RowsProps) {
  return (
    <PayoutRows label={fieldWords.payouts}>
      {payouts.map((payout) => (
        <PayoutRow
          key={payout.id}
          payout={payout}
          muted={without.has(payout.id)}
          before={
            (payouts.length > 1 || changeOf(payout)) && (
              <Checkbox
                label={payoutWords.review.include({ name: numberOf(payout) })}
                labelHidden
                checked={!without.has(payout.id)}
                onChange={(chosen) => onChoose(payout.id, chosen)}
              />
            )
          }
        >
          <Changed payout={payout} />
        </PayoutRow>
      ))}
    </PayoutRows>
  )
}

const changeOf = ({ blockers }: Payout) => blockers.find(({ code }) => code === 'deposit-info-changed-recently')

/** Warns the approver of recently changed details. */
function Changed({ payout }: { payout: Payout }) {
  const change = changeOf(payout)
  if (!change) return null
  return (
    <Message kind="warning">
      <strong>{payoutWords.review.changed({ name: payout.partnerName })}</strong>
      <br />
      {payoutWords.review.genuine({ reason: change.message })}
    </Message>
  )
}

export function LeftOut({ preview, payouts }: { preview: ApprovalPreview; payouts: readonly Payout[] }) {
  if (preview.excluded.length === 0) return null
  return (
    <section className="stack gap-1">
      <h3 className={`strong ${styles.out}`}>{payoutWords.review.leftOut({ count: preview.excluded.length })}</h3>
      <PayoutRows>
        {preview.excluded.map(({ id, error }) => {
          const payout = payouts.find((one) => one.id === id)
          return <PayoutRow key={id} payout={payout} muted note={whyOut(error, payout)} />
        })}
      </PayoutRows>
    </section>
  )
}

/** Returns why a payout is excluded; a blocked one by its blockers, as in the list. */
function whyOut(error: ApprovalPreview['excluded'][number]['error'], payout: Payout | undefined) {
  if (error.code === 'not_found') return payoutWords.review.unknown
  if (error.code === 'payout_blocked' && payout?.blockers.length) return blockerLine(payout.blockers)
  // approved already, or back from it: the status is the reason
  if (error.code === 'invalid_state' && payout) return statusLabel('payout', payout.status)
  return error.message
}
