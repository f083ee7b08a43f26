import { useInfiniteQuery } from '@tanstack/react-query'
import { addDays } from '#contract/days.ts'
import { useCall } from '#web/calls.ts'
import { formatDateAt, todayIn } from '#web/format.ts'
import { AnswerForm } from '#web/shared/AnswerForm.tsx'
import { ShowMore } from '#web/shared/ShowMore.tsx'
import { StatusBadge } from '#web/shared/StatusBadge.tsx'
import { useAccount } from '#web/shell/current.ts'
import { useContractForm } from '#web/ui/contract-form.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField, FieldPair, TextAreaField, TextField } from '#web/ui/fields.tsx'
import { FormFrame, SubmitButton } from '#web/ui/form.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { fieldWords } from '#web/words/fields.ts'
import { questionWords } from '#web/words/questions.ts'
import { CLAIM_DAYS, type Claim, createClaim, NewClaim } from '../contract.ts'
import { claimWords as words } from '../text.ts'
import styles from './Claims.module.css'
import { claimName, waitsForPartner } from './names.ts'
import { ownClaimsQuery } from './queries.ts'

const nothing = { orderId: '', email: '', day: '', note: '' }

type Props = { partnerId: string; onClose: () => void }

/** A partner's claims of missing sales, and the form of a new one. */
export function MissingSale({ partnerId, onClose }: Props) {
  const { timeZone } = useAccount()
  const today = todayIn(timeZone)
  const first = addDays(today, -CLAIM_DAYS)
  const form = useContractForm(NewClaim, { initial: nothing })
  const save = useCall(createClaim, {
    onSuccess() {
      form.saved(nothing)
      showToast(words.sent)
    },
  })
  const { field } = form
  return (
    <Dialog wide heading={words.missing} onClose={onClose} busy={save.busy}>
      <p>{words.missingWhy}</p>
      <FormFrame
        form={form}
        save={save}
        label={words.missing}
        onSubmit={({ body }) => save.mutate({ params: { id: partnerId }, body })}
      >
        <TextField {...field('orderId', words.orderId)} autoComplete="off" spellCheck={false} help={words.orderHelp} />
        <FieldPair>
          <TextField {...field('email', fieldWords.email)} type="email" autoComplete="off" />
          <DateField {...field('day', words.day)} min={first} max={today} help={words.dayHelp} />
        </FieldPair>
        <TextAreaField {...field('note', fieldWords.note)} rows={2} optional help={words.noteHelp} />
        <div>
          <SubmitButton look="primary">{words.send}</SubmitButton>
        </div>
      </FormFrame>
      <OwnClaims partnerId={partnerId} timeZone={timeZone} />
    </Dialog>
  )
}

function OwnClaims({ partnerId, timeZone }: { partnerId: string; timeZone: string }) {
  const { displayName } = useAccount()
  const answer = useInfiniteQuery(ownClaimsQuery(partnerId))
  const items = answer.data?.pages.flatMap(({ items }) => items)
  return (
    <section className="stack gap-2" aria-label={words.claims}>
      <h3>{words.claims}</h3>
      {!items ? (
        <Pending answer={answer} rows={2} />
      ) : items.length === 0 ? (
        <p className="muted">{words.noneYet}</p>
      ) : (
        <ul aria-label={words.claims} className="items">
          {items.map((claim) => (
            <Own key={claim.id} claim={claim} timeZone={timeZone} account={displayName} />
          ))}
        </ul>
      )}
      <ShowMore answer={answer}>{words.showMore}</ShowMore>
    </section>
  )
}

type OwnProps = { claim: Claim; timeZone: string; account: string }

const Own = ({ claim, timeZone, account }: OwnProps) => (
  <li className={`stack gap-1 ${styles.own}`}>
    <div className="row between">
      <span className="wrap strong">{claimName(claim)}</span>
      <StatusBadge of="claim" status={claim.state} />
    </div>
    <p className="muted small">{formatDateAt(claim.createdAt, timeZone)}</p>
    {claim.note && <p className="wrap">{claim.note}</p>}
    {claim.reason && (
      <p className="wrap">
        <span className="muted">{fieldWords.reason}:</span> {claim.reason}
      </p>
    )}
    {claim.question && (
      <p className="lines">
        <span className="muted">{questionWords.from({ account })}:</span> {claim.question}
      </p>
    )}
    {claim.answer && (
      <p className="lines">
        <span className="muted">{questionWords.yourAnswer}:</span> {claim.answer}
      </p>
    )}
    {claim.question && waitsForPartner(claim) && (
      <AnswerForm partnerId={claim.partnerId} questionId={claim.id} label={claim.question} onSent={() => undefined} />
    )}
  </li>
)
