import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptAgreement } from '#contract/agreement.ts'
import { languageName } from '#contract/language.ts'
import { useCall } from '../calls.ts'
import { formatDate, formatDateAt } from '../format.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Message } from '../ui/Message.tsx'
import { Pending } from '../ui/Pending.tsx'
import { showToast } from '../ui/toasts.ts'
import { agreementWords as words } from '../words/agreement.ts'
import { dialogWords } from '../words/pieces.ts'
import { agreementQuery } from './agreement.ts'
import { Prose } from './Prose.tsx'

type Props = {
  account: { id: string; timeZone: string }
  partnerId: string
  /** Whether the newest version waits for this partner. */
  waiting: boolean
  onClose: () => void
}

/** The newest version of the partner agreement, to read and, while it waits, to accept. */
export function ReadAgreement({ account, partnerId, waiting, onClose }: Props) {
  const [language, read] = useState<string>()
  const answer = useQuery({ ...agreementQuery(account.id, language), placeholderData: keepPreviousData })
  const call = useCall(acceptAgreement, {
    onSuccess() {
      showToast(words.accepted)
      onClose()
    },
  })
  const { data } = answer
  const original = data?.languages[0]
  return (
    <Dialog wide heading={words.heading} onClose={onClose} busy={call.busy}>
      {data ? (
        <div className="stack">
          <p className="muted">
            {words.version({ version: data.version, date: formatDateAt(data.publishedAt, account.timeZone) })}
          </p>
          {original && original !== data.language && (
            <div>
              <Button small onClick={() => read(original)}>
                {words.original({ language: languageName(original) })}
              </Button>
            </div>
          )}
          {data.changes && (
            <div>
              <p className="strong">{words.changed}</p>
              <p lang={data.language} className="wrap">
                {data.changes}
              </p>
            </div>
          )}
          {waiting && data.requiredFrom && (
            <Message kind="info">{words.waits({ date: formatDate(data.requiredFrom) })}</Message>
          )}
          <Prose text={data.text} lang={data.language} />
        </div>
      ) : (
        <Pending answer={answer} rows={8} />
      )}
      {call.error && <Message kind="error">{call.error.message}</Message>}
      <DialogActions>
        {waiting && data && (
          <Button
            look="primary"
            needs={acceptAgreement}
            busy={call.busy}
            onClick={() =>
              call.mutate({ params: { id: partnerId }, body: { version: data.version, language: data.language } })
            }
          >
            {words.accept({ version: data.version })}
          </Button>
        )}
        <Button data-first-focus disabled={call.busy} onClick={onClose}>
          {dialogWords.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
