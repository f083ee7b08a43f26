import { useState } from 'react'
import { pushSales } from '#contract/sales.ts'
import { CallError, callApi } from '#web/api.ts'
import { useRefresh } from '#web/calls.ts'
import { Button } from '#web/ui/Button.tsx'
import { explainRefusal } from '#web/ui/form.tsx'
import { Message } from '#web/ui/Message.tsx'
import { pushDataWords } from '../text.ts'

/** The log is written once a second. */
const LOGGED_AFTER_MS = 1500

/**
 * Sends a real request with the account's key that writes nothing: a list of one empty sale. The server accepts the
 * list and refuses the row.
 */
export function TestRequest({ apiKey }: { apiKey: string }) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<'worked' | CallError | null>(null)

  async function send() {
    setBusy(true)
    try {
      await callApi(pushSales, { body: [{}], token: apiKey })
      setOutcome('worked')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setOutcome(error)
    } finally {
      setBusy(false)
    }
    setTimeout(refresh, LOGGED_AFTER_MS)
  }

  return (
    <div className="stack gap-3">
      <div className="row gap-3">
        <Button busy={busy} onClick={send}>
          {pushDataWords.test}
        </Button>
        <span className="muted small">{pushDataWords.testHelp}</span>
      </div>
      {!busy && outcome && (outcome === 'worked' ? <Worked /> : <NotTaken answer={outcome} />)}
    </div>
  )
}

const Worked = () => (
  <Message kind="success">
    <strong>{pushDataWords.testWorked}</strong>
    <p>{pushDataWords.testWorkedWhy}</p>
  </Message>
)

const NotTaken = ({ answer }: { answer: CallError }) => (
  <Message kind="error">
    <strong>{pushDataWords.testFailed}</strong>
    <p>{explainRefusal(answer)}</p>
  </Message>
)
