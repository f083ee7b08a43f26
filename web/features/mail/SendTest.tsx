import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sendTestMail, TestMail } from '#contract/mail.ts'
import { useCall } from '../../calls.ts'
import { useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { basicWords } from '../../words/basic.ts'
import { mailWords } from '../../words/mail.ts'
import { dialogWords } from '../../words/pieces.ts'
import { awaitedMail } from './queries.ts'

type Props = {
  /** No mail server is configured. */
  isKept: boolean
  onClose: () => void
}

/** Sends a test mail and stays open until its result is known. */
export function SendTest({ isKept, onClose }: Props) {
  const { email } = useMe()
  const [sent, setSent] = useState<{ id: string; email: string } | null>(null)
  const form = useContractForm(TestMail, { initial: { email } })
  const save = useCall(sendTestMail, { onSuccess: setSent })
  if (sent) return <Outcome {...sent} onAgain={() => setSent(null)} onClose={onClose} />
  return (
    <FormDialog
      heading={mailWords.test}
      why={isKept ? mailWords.testKept : mailWords.testWhy}
      submit={mailWords.testSend}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ body })}
      onClose={onClose}
    >
      <TextField {...form.field('email', basicWords.fields.email)} type="email" autoComplete="off" />
    </FormDialog>
  )
}

type OutcomeProps = { id: string; email: string; onAgain: () => void; onClose: () => void }

function Outcome({ id, email, onAgain, onClose }: OutcomeProps) {
  const { data } = useQuery(awaitedMail(id))
  const state = data?.state ?? 'waiting'
  const isOver = state !== 'waiting'
  const isDone = state === 'sent' || state === 'kept'
  return (
    <Dialog heading={mailWords.test} onClose={onClose}>
      {!isOver && <Message kind="info">{mailWords.testing({ email })}</Message>}
      {isDone && (
        <Message kind="success" answers={1}>
          {(state === 'sent' ? mailWords.testSent : mailWords.testKeptDone)({ email })}
        </Message>
      )}
      {isOver && !isDone && (
        <Message kind="error" answers={1}>
          {mailWords.testFailed({ email })}
          {data?.reason && <p className="muted wrap">{data.reason}</p>}
        </Message>
      )}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {dialogWords.done}
        </Button>
        {isOver && !isDone && <Button onClick={onAgain}>{mailWords.testAgain}</Button>}
      </DialogActions>
    </Dialog>
  )
}
