import { useQuery } from '@tanstack/react-query'
import { sendTestMail, TestMail } from '#contract/mail.ts'
import { useMe } from '../../shell/current.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { basicWords } from '../../words/basic.ts'
import { mailWords } from '../../words/mail.ts'
import { dialogWords } from '../../words/pieces.ts'
import { awaitedMail } from './queries.ts'

type Server = {
  /** No mail server is configured. */
  isKept: boolean
}

/** Sends a test mail and stays open until its result is known. */
export const SendTest = exposeAction(
  defineFormAction(sendTestMail, TestMail, ({ isKept }: Server) => {
    const { email } = useMe()
    return {
      heading: mailWords.test,
      why: isKept ? mailWords.testKept : mailWords.testWhy,
      submit: mailWords.testSend,
      initial: { email },
      send: (body) => ({ body }),
      shows: (sent, { onClose, again }) => <Outcome {...sent} onAgain={again} onClose={onClose} />,
      fields: ({ field }) => <TextField {...field('email', basicWords.fields.email)} type="email" autoComplete="off" />,
    }
  }),
  { label: mailWords.test },
)

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
