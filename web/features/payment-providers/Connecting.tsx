import { Link, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { connectProvider } from '#contract/payment-providers.ts'
import { type PaymentProvider, paymentProviders } from '#contract/sales.ts'
import { useCall } from '../../calls.ts'
import { searchText } from '../../lists/table-state.ts'
import { isTeam, mayCall, type RoleInTeam, rememberRole } from '../../shared/roles.ts'
import { useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { explainRefusal } from '../../ui/refusals.ts'
import { StandaloneCard, StandaloneLinks } from '../../ui/StandaloneCard.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'
import { connectingWords, providerWords } from '../../words/shell.ts'
import { useConsent } from './consent.ts'

/** The page to which a payment provider redirects; the visitor may be another user than the owner who started. */
export function Connecting() {
  const { provider: named } = useParams({ strict: false })
  const { params } = useAddress()
  const [code, state, error] = [searchText(params.code), searchText(params.state), searchText(params.error)]
  const provider = paymentProviders.find((one) => one === named)
  const owned = useMe()
    .roles.filter(isTeam)
    .filter((role) => mayCall(role, connectProvider))
  if (!provider)
    return (
      <Plain heading={paymentProviderWords.connecting.unknownHeading} owns={owned.length > 0}>
        <p>{paymentProviderWords.connecting.unknown}</p>
      </Plain>
    )
  const name = providerWords[provider]
  const heading = connectingWords.heading({ provider: name })
  // The server created the state for one account; the state ends with its id.
  const role = owned.find(({ accountId }) => state?.endsWith(`.${accountId}`))
  if (role && code && state && !error)
    return <Finishing provider={provider} name={name} heading={heading} role={role} code={code} state={state} />
  const why =
    owned.length === 0
      ? 'notOwner'
      : error
        ? error === 'access_denied'
          ? 'denied'
          : 'failed'
        : code && state
          ? 'notYours'
          : 'nothing'
  return (
    <Plain heading={heading} owns={owned.length > 0}>
      <Message kind={why === 'denied' ? 'info' : 'warning'}>
        {(why === 'notOwner' ? connectingWords[why] : paymentProviderWords.connecting[why])({ provider: name })}
      </Message>
      {role && error && <Again role={role} provider={provider} />}
    </Plain>
  )
}

type FinishingProps = {
  provider: PaymentProvider
  name: string
  heading: string
  role: RoleInTeam
  code: string
  state: string
}

/** Submits the provider's code once, and returns to the page it was requested from. */
function Finishing({ provider, name, heading, role, code, state }: FinishingProps) {
  const router = useRouter()
  const { mutate, error } = useCall(connectProvider, {
    onSuccess: () => {
      rememberRole(role)
      showToast(paymentProviderWords.connected({ provider: name }))
      return router.navigate({ to: '/integrations/payment-providers', state: { role }, replace: true })
    },
  })
  const finish = () => mutate({ params: { id: role.accountId }, body: { provider, code, state } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the owner comes back
  useEffect(finish, [])
  return (
    <Plain heading={heading} owns>
      {error ? (
        <>
          <Message kind="error">{explainRefusal(error)}</Message>
          {error.status === 0 ? (
            <Button onClick={finish}>{paymentProviderWords.connecting.again}</Button>
          ) : (
            error.status !== 409 && <Again role={role} provider={provider} />
          )}
        </>
      ) : (
        <p role="status">{paymentProviderWords.connecting.busy({ provider: name })}</p>
      )}
    </Plain>
  )
}

/** A code is valid once, so a retry starts again at the provider. */
function Again({ role, provider }: { role: RoleInTeam; provider: PaymentProvider }) {
  const consent = useConsent()
  return (
    <>
      {consent.error && <Message kind="error">{explainRefusal(consent.error)}</Message>}
      <Button
        look="primary"
        busy={consent.busy}
        onClick={() => consent.mutate({ params: { id: role.accountId, provider } })}
      >
        {paymentProviderWords.connecting.again}
      </Button>
    </>
  )
}

type PlainProps = { heading: string; owns: boolean; children: ReactNode }

const Plain = ({ heading, owns, children }: PlainProps) => (
  <StandaloneCard heading={heading}>
    {children}
    <StandaloneLinks>
      {owns ? (
        <Link to="/integrations/payment-providers">{basicWords.actions.backToProviders}</Link>
      ) : (
        <Link to="/">{basicWords.actions.goHome}</Link>
      )}
    </StandaloneLinks>
  </StandaloneCard>
)
