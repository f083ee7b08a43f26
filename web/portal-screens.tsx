import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { AccountForPartner } from '#contract/accounts.ts'
import { me } from './calls.ts'
import { watchNewTabs } from './portal-links.ts'
import { type Ended, useEnded } from './portal-session.ts'
import { makeQueryClient } from './query-client.ts'
import { makePortalRouter } from './routes/portal-router.tsx'
import { usePublicBrand } from './shared/public-brand.ts'
import { isAtPartner } from './shared/roles.ts'
import { DisabledAccount } from './shell/DisabledAccount.tsx'
import { LateBrandHead } from './shell/LateBrandHead.tsx'
import { accountQuery } from './shell/queries.ts'
import { Heading } from './ui/Page.tsx'
import { portalWords } from './words/portal.ts'

/** A partner's own screens, in a frame of another application or by a link; `first` is the path of the first one. */
export function portalScreens(first: string) {
  watchNewTabs()
  const queryClient = makeQueryClient()
  const router = makePortalRouter(queryClient, first)
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
      {ended && <Over ended={ended} />}
      <div hidden={ended !== null}>
        <RouterProvider router={router as never} />
      </div>
    </>
  )
}

function Over({ ended }: { ended: Ended }) {
  const client = useQueryClient()
  const role = client.getQueryData(me.queryKey)?.roles.find(isAtPartner)
  const shown = role && (client.getQueryData(accountQuery(role.accountId).queryKey) as AccountForPartner | undefined)
  const stranger = usePublicBrand(shown ? undefined : location.pathname.split('/')[2])
  // the screens behind it stay in the account's color
  const brand = shown ? { ...shown, accent: null } : stranger
  const { heading, expired, expiredEarly } = portalWords.ended
  return (
    <main className="centered alone inset-all">
      <div className="panel stack inset-all" role="alert">
        <LateBrandHead brand={brand} />
        {ended.why === 'disabled' ? (
          <DisabledAccount supportEmail={ended.supportEmail} />
        ) : (
          <>
            <Heading>{heading}</Heading>
            <p>{brand?.displayName ? expired({ account: brand.displayName }) : expiredEarly}</p>
          </>
        )}
      </div>
    </main>
  )
}
