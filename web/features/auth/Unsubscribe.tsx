import { useEffect, useState } from 'react'
import { changeMailSubscription, getMailSubscription, type MailSubscription } from '#contract/mail.ts'
import { CallError, callApi } from '../../api.ts'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { unsubscribeWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import { SignInLink } from './navigation.tsx'

const ADDRESS = '/mail/unsubscribe/'

export const isUnsubscribing = (path: string) => path.startsWith(ADDRESS)

type Read = { subscription: MailSubscription } | { failed: CallError } | null

/**
 * The target of the unsubscribe link in mails. Opening it changes nothing, since mail scanners follow links; the button
 * does.
 */
export function Unsubscribe({ path }: { path: string }) {
  const token = path.slice(ADDRESS.length).slice(0, 512)
  const [read, setRead] = useState<Read>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    let current = true
    setRead(null)
    callApi(getMailSubscription, { token }).then(
      (subscription) => current && setRead({ subscription }),
      (failed) => current && setRead({ failed }),
    )
    return () => {
      current = false
    }
  }, [token, attempt])
  return (
    <StandaloneCard heading={basicWords.pages.unsubscribe}>
      {!read && <Skeleton rows={2} />}
      {read && 'failed' in read && <Unread error={read.failed} onRetry={() => setAttempt(attempt + 1)} />}
      {read && 'subscription' in read && <Choice first={read.subscription} token={token} />}
    </StandaloneCard>
  )
}

function Unread({ error, onRetry }: { error: CallError; onRetry: () => void }) {
  if (error.status === 404)
    return (
      <>
        <Message kind="error">{unsubscribeWords.unknown}</Message>
        <StandaloneLinks>
          <SignInLink to="/user/profile">{unsubscribeWords.others}</SignInLink>
        </StandaloneLinks>
      </>
    )
  return <Failed onRetry={onRetry} why={explainRefusal(error)} />
}

function Choice({ first, token }: { first: MailSubscription; token: string }) {
  const [{ title, enabled }, setSubscription] = useState(first)
  const [presses, setPresses] = useState(0)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  async function change() {
    setBusy(true)
    setFailure(null)
    try {
      setSubscription(await callApi(changeMailSubscription, { token, body: { enabled: !enabled } }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(explainRefusal(error))
    }
    setPresses(presses + 1)
    setBusy(false)
  }
  return (
    <>
      {failure && (
        <Message kind="error" answers={presses}>
          {failure}
        </Message>
      )}
      {!failure && !enabled && (
        <Message kind="success" answers={presses || undefined}>
          {unsubscribeWords.off({ title })}
        </Message>
      )}
      {!failure && enabled && presses > 0 && (
        <Message kind="success" answers={presses}>
          {unsubscribeWords.on({ title })}
        </Message>
      )}
      {enabled && presses === 0 && <StandaloneText>{unsubscribeWords.ask({ title })}</StandaloneText>}
      <Button look={enabled ? 'primary' : 'secondary'} block busy={busy} onClick={change}>
        {enabled ? unsubscribeWords.turnOff : unsubscribeWords.turnOn}
      </Button>
      <StandaloneLinks>
        <SignInLink to="/user/profile">{unsubscribeWords.others}</SignInLink>
      </StandaloneLinks>
    </>
  )
}
