import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pushSales } from '#contract/push.ts'
import { CallError, call } from '../../api.ts'
import { refreshRead } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { t } from '../../words.ts'
import styles from './PushData.module.css'

/** The log is written once a second. */
const LOGGED_AFTER_MS = 1500

/**
 * A real request with the account's key that writes nothing: an empty list of sales, which the server refuses with 422
 * once it has taken the key.
 */
export function TestRequest({ apiKey }: { apiKey: string }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<CallError | null>(null)

  async function send() {
    setBusy(true)
    const refusal = await call(pushSales, { body: [], token: apiKey }).then(
      () => null,
      (error: unknown) => error,
    )
    setBusy(false)
    setAnswer(refusal instanceof CallError ? refusal : null)
    setTimeout(() => refreshRead(client, ['push-requests']), LOGGED_AFTER_MS)
  }

  return (
    <div className={styles.test}>
      <div className={styles.line}>
        <Button busy={busy} onClick={send}>
          {t('pushData.test')}
        </Button>
        <span className={styles.help}>{t('pushData.testHelp')}</span>
      </div>
      {!busy && answer && (answer.status === 422 ? <Worked status={answer.status} /> : <NotTaken answer={answer} />)}
    </div>
  )
}

const Worked = ({ status }: { status: number }) => (
  <Message kind="success">
    <strong>{t('pushData.testWorked')}</strong>
    <p>{t('pushData.testWorkedWhy', { status })}</p>
  </Message>
)

const NotTaken = ({ answer }: { answer: CallError }) => (
  <Message kind="error">
    <strong>{t('pushData.testFailed')}</strong>
    <p>{explainRefusal(answer)}</p>
  </Message>
)
