import { type ErrorComponentProps, Link, useParams, useRouter } from '@tanstack/react-router'
import { paymentProviders } from '#contract/sales.ts'
import { CallError } from '../api.ts'
import { useMe } from '../shell/current.ts'
import { Heading, Page } from '../ui/Page.tsx'
import { Failed } from '../ui/Panel.tsx'
import { t } from '../words.ts'
import styles from './screens.module.css'

/** An address nobody answers to, in the empty layout. */
export function NotFound() {
  return (
    <main className={styles.lone}>
      <Heading>{t('pages.notFound')}</Heading>
      <p>{t('states.notFound')}</p>
      <Link to="/">{t('actions.goHome')}</Link>
    </main>
  )
}

/**
 * A screen that crashed or whose code did not arrive; what stands around it stays. A refused call is made again; after
 * anything else only a new document helps.
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
    <div className={styles.crashed}>
      <Failed alone onRetry={retry} why={refused ? error.message : undefined} id={idOf(error)} />
    </div>
  )
}

/** A short mark of an error that a person can read out: the server's request id, or one made of the error's words. */
function idOf(error: unknown) {
  if (error instanceof CallError && error.requestId) return error.requestId
  const words = String(error)
  let hash = 5381
  for (const char of words) hash = ((hash << 5) + hash + char.charCodeAt(0)) | 0
  return (hash >>> 0).toString(36)
}

export function Welcome() {
  return (
    <Page heading={t('pages.welcome')}>
      <p className={styles.muted}>{t('states.welcome')}</p>
    </Page>
  )
}

/** The plain layout in which a payment provider's answer arrives, whoever comes with it. */
export function OAuth() {
  const { provider } = useParams({ strict: false })
  const owns = useMe().roles.some(({ type }) => type === 'account-owner')
  const known = paymentProviders.find((name) => name === provider)
  const name = known && t(`providers.${known}`)
  return (
    <main className={styles.lone}>
      <Heading>{name ? t('pages.oauth', { provider: name }) : t('pages.unknownProvider')}</Heading>
      <p>{name ? t('oauth.byKey', { provider: name }) : t('oauth.unknown')}</p>
      {owns ? (
        <Link to="/integrations/payment-providers">{t('actions.backToProviders')}</Link>
      ) : (
        <Link to="/">{t('actions.goHome')}</Link>
      )}
    </main>
  )
}
