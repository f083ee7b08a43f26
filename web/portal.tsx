import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { AccountForPartner } from '#contract/accounts.ts'
import { me } from './calls.ts'
import { beginPortal, type Ended, useEnded } from './portal-session.ts'
import { makeQueryClient } from './query-client.ts'
import { makePortalRouter } from './routes/portal-router.tsx'
import { isAtPartner } from './shared/roles.ts'
import { account } from './shell/queries.ts'
import { Heading } from './ui/Page.tsx'
import { portalWords } from './words/portal.ts'

/** A partner's own screens, in a frame of another application or by a link. */
export async function portal() {
  await beginPortal()
  const queryClient = makeQueryClient()
  const router = makePortalRouter(queryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <Screens router={router} />
    </QueryClientProvider>
  )
}

/** The screens stay as they are while another token is awaited. */
function Screens({ router }: { router: ReturnType<typeof makePortalRouter> }) {
  const ended = useEnded()
  return (
    <>
      {ended && <Over why={ended} />}
      <div hidden={ended !== null}>
        <RouterProvider router={router as never} />
      </div>
    </>
  )
}

function Over({ why }: { why: Ended }) {
  const client = useQueryClient()
  const role = client.getQueryData(me.queryKey)?.roles.find(isAtPartner)
  const shown: Pick<AccountForPartner, 'displayName'> | undefined =
    role && client.getQueryData(account(role.accountId).queryKey)
  const { heading, expired, expiredEarly, disabled } = portalWords.ended
  return (
    <main className="centered alone" role="alert">
      <div className="panel stack inset-all">
        <Heading>{heading}</Heading>
        <p>{why === 'disabled' ? disabled : shown ? expired({ account: shown.displayName }) : expiredEarly}</p>
      </div>
    </main>
  )
}
