import { useQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CallError } from '../api.ts'
import { me } from '../calls.ts'
import { Page } from '../ui/Page.tsx'
import { Failed } from '../ui/Panel.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../ui/StandaloneCard.tsx'
import { basicWords } from '../words/basic.ts'
import { pageWords } from '../words/shell.ts'

/** Shown for an unknown address, in the empty layout. */
export function NotFound() {
  return (
    <StandaloneCard heading={pageWords.notFound}>
      <StandaloneText>{basicWords.states.notFound}</StandaloneText>
      <StandaloneLinks>
        <Link to="/">{basicWords.actions.goHome}</Link>
      </StandaloneLinks>
    </StandaloneCard>
  )
}

/**
 * Shown if a screen crashed or its code did not load; its surroundings remain. A refused call is retried; anything else
 * needs a page reload.
 */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const refused = error instanceof CallError
  function retry() {
    if (!refused) return location.reload()
    reset()
    router.invalidate()
  }
  return (
    <div className="centered alone">
      <Failed alone onRetry={retry} why={refused ? error.message : undefined} id={idOf(error)} />
    </div>
  )
}

/** Returns a short id of an error that a person can read out: the server's request id, or a hash of the message. */
function idOf(error: unknown) {
  if (error instanceof CallError && error.requestId) return error.requestId
  const words = String(error)
  let hash = 5381
  for (const char of words) hash = ((hash << 5) + hash + char.charCodeAt(0)) | 0
  return (hash >>> 0).toString(36)
}

/** The first screen of a person without a role; at an account's own domain it shows the way to where all roles are. */
export function Welcome() {
  const { data: user } = useQuery(me)
  return (
    <Page heading={pageWords.welcome}>
      {user?.appUrl ? (
        <p className="linked">
          {pageWords.noRoleHere} <a href={user.appUrl}>{pageWords.signInAt({ host: new URL(user.appUrl).host })}</a>
        </p>
      ) : (
        <p className="muted">{basicWords.states.welcome}</p>
      )}
    </Page>
  )
}
