import { useEffect, useState } from 'react'
import { type ApplicationToConfirm, confirmApplication, getApplicationToConfirm } from '#contract/applications.ts'
import { CallError, callApi } from '../../api.ts'
import { usePublicBrand } from '../../shared/public-brand.ts'
import { LateBrandHead } from '../../shell/LateBrandHead.tsx'
import { Email } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { StandaloneCard, StandaloneLinks, StandaloneText } from '../../ui/StandaloneCard.tsx'
import { useSend } from '../../ui/use-form.ts'
import { authWords, confirmWords as words } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './ConfirmApplication.module.css'
import { dropLinkToken, navigateTo, SignInLink, useLinkToken } from './navigation.tsx'

type Read = { application: ApplicationToConfirm } | { failed: CallError } | null

/**
 * The target of the link in an applicant's mail. Opening it changes nothing, since mail scanners follow links; the
 * button confirms what is shown.
 */
export function ConfirmApplication() {
  const token = useLinkToken()
  const [publicId, setPublicId] = useState<string | null>()
  const brand = usePublicBrand(token ? publicId : null)
  return (
    <StandaloneCard heading={basicWords.pages.confirmApplication} logo={<LateBrandHead brand={brand} />}>
      {token ? (
        <Opened key={token} token={token} onAccount={setPublicId} />
      ) : (
        <StandaloneText>{words.noToken}</StandaloneText>
      )}
    </StandaloneCard>
  )
}

/** `onAccount` is called with the account's public id, or null. */
function Opened({ token, onAccount }: { token: string; onAccount: (publicId: string | null) => void }) {
  const [read, setRead] = useState<Read>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    let current = true
    setRead(null)
    callApi(getApplicationToConfirm, { token }).then(
      (application) => {
        if (!current) return
        setRead({ application })
        onAccount(application.accountPublicId)
      },
      (failed) => {
        if (!current) return
        setRead({ failed })
        onAccount(null)
      },
    )
    return () => {
      current = false
    }
  }, [token, attempt])
  if (!read) return <Skeleton rows={4} />
  if ('application' in read)
    return <Shown application={read.application} token={token} onExpired={(failed) => setRead({ failed })} />
  if (read.failed.status === 401) return <Expired />
  return <Failed onRetry={() => setAttempt(attempt + 1)} why={explainRefusal(read.failed)} />
}

const Expired = () => (
  <>
    <Message kind="error">{words.expired}</Message>
    <StandaloneText>{words.expiredHelp}</StandaloneText>
  </>
)

type ShownProps = { application: ApplicationToConfirm; token: string; onExpired: (error: CallError) => void }

function Shown({ application, token, onExpired }: ShownProps) {
  const { accountName, invitedBy, firstName, lastName, email, answers } = application
  const account = accountName || words.company
  const [{ status, answered }, setStatus] = useState({ status: application.status, answered: false })
  const confirm = useSend(async (_: null, idempotencyKey) => {
    try {
      const { status, setUpToken } = await callApi(confirmApplication, { token, idempotencyKey })
      if (status === 'waiting') return setStatus({ status, answered: true })
      dropLinkToken()
      navigateTo(setUpToken ? `/user-setup#token=${setUpToken}` : '/auth/sign-in')
    } catch (error) {
      if (!(error instanceof CallError && error.status === 401)) throw error
      onExpired(error)
    }
  })
  if (status === 'waiting')
    return (
      <Message kind="success" answers={answered ? 1 : undefined}>
        {words.waiting({ account })}
      </Message>
    )
  const isApproved = status === 'approved'
  return (
    <>
      {confirm.error && (
        <Message kind="error" answers={1}>
          {explainRefusal(confirm.error)}
        </Message>
      )}
      {isApproved ? (
        <Message kind="success">{words.approved({ account })}</Message>
      ) : (
        <>
          <StandaloneText>{words.ask({ account })}</StandaloneText>
          <Facts
            beside
            label={words.facts}
            facts={[
              { id: 'name', label: words.name, value: `${firstName} ${lastName}` },
              { id: 'email', label: basicWords.fields.email, value: <Email>{email}</Email> },
              invitedBy && { id: 'by', label: words.invitedBy, value: invitedBy },
              ...answers
                .filter(({ value }) => value !== '')
                .map(({ label, value }, at) => ({
                  id: `${at}`,
                  label,
                  value: <span className={styles.typed}>{value}</span>,
                })),
            ]}
          />
        </>
      )}
      <Button look="primary" block busy={confirm.busy} onClick={() => confirm.send(null)}>
        {isApproved ? words.goOn : words.confirm}
      </Button>
      {isApproved && (
        <StandaloneLinks>
          <SignInLink to="/auth/sign-in">{authWords.signIn}</SignInLink>
        </StandaloneLinks>
      )}
    </>
  )
}
