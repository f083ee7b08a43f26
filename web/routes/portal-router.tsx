import type { QueryClient } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router'
import { readsOfInvite } from '#features/rewards/web/queries.ts'
import { me } from '../calls.ts'
import {
  readsOfAssets,
  readsOfFigures,
  readsOfNews,
  readsOfOverview,
  readsOfTerms,
} from '../features/dashboard/queries.ts'
import { readsOfLeadDetail, readsOfLeads } from '../features/leads/queries.ts'
import { readsOfPartner } from '../features/partners/queries.ts'
import { readsOfPayout } from '../features/payouts/queries.ts'
import { leadSalesQuery, readsOfReceipt } from '../features/sales/queries.ts'
import { portalAddress } from '../portal-links.ts'
import { isForInviting } from '../portal-session.ts'
import { PortalShell } from '../shell/PortalShell.tsx'
import { readsOfPortalGate } from '../shell/queries.ts'
import { createLoader } from './load.ts'
import { ScreensWithReceipts } from './receipts.tsx'
import { routerOptions, watchScreens } from './router-options.ts'
import { defineScreen, type Params, type Screen, screenRoute } from './screen-of.tsx'
import { NotFound } from './screens.tsx'

/** The panel for inviting friends, which is a portal's only screen in that view. */
const INVITE = '/invite'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: NotFound })

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    await context.queryClient.ensureQueryData(me)
    if (isForInviting() && location.pathname !== INVITE) throw redirect({ to: INVITE as '/', replace: true })
  },
  component: PortalShell,
})

const gate = createRoute({
  getParentRoute: () => shell,
  id: 'of-account',
  component: ScreensWithReceipts,
  loader: createLoader(readsOfPortalGate),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})

/** A screen of the partner's own, at the address it has in the application, so that links between them are the same. */
const own = <const P extends string>(path: P, screen: Screen<Params<P>>) =>
  createRoute({ getParentRoute: () => gate, ...screenRoute(path, undefined, screen) })

const tree = root.addChildren([
  home,
  shell.addChildren([
    gate.addChildren([
      own(
        '/dashboard',
        defineScreen(() => import('../features/dashboard/PartnerDashboard.tsx'), readsOfOverview),
      ),
      own(
        '/dashboard/figures',
        defineScreen(() => import('../features/dashboard/PartnerFigures.tsx'), readsOfFigures, 'PortalFigures'),
      ),
      own(
        '/dashboard/news',
        defineScreen(() => import('../features/dashboard/AllNews.tsx'), readsOfNews),
      ),
      own(
        '/dashboard/terms',
        defineScreen(() => import('../features/dashboard/AllTerms.tsx'), readsOfTerms),
      ),
      own(
        '/dashboard/assets',
        defineScreen(() => import('../features/dashboard/AllAssets.tsx'), readsOfAssets),
      ),
      own(
        '/links',
        defineScreen(() => import('../features/dashboard/OwnLinks.tsx')),
      ),
      own(
        '/leads',
        defineScreen(() => import('./leads.tsx'), readsOfLeads),
      ),
      own(
        '/leads/new',
        defineScreen(() => import('./lead-forms.tsx'), undefined, 'NewLead'),
      ),
      own(
        '/leads/$leadId',
        defineScreen(
          () => import('./lead.tsx'),
          (opened) => [...readsOfLeadDetail(opened), leadSalesQuery(opened.params.leadId)],
        ),
      ),
      own(
        '/partners/$partnerId',
        defineScreen(() => import('../features/partners/OwnPartner.tsx'), readsOfPartner, 'PortalPartner'),
      ),
      own(
        '/commissions/$commissionId',
        defineScreen(() => import('../features/sales/ReceiptPage.tsx'), readsOfReceipt, 'ReceiptPage'),
      ),
      own(
        INVITE,
        defineScreen(() => import('#features/rewards/web/InvitePanel.tsx'), readsOfInvite),
      ),
      own(
        '/partner/settings',
        defineScreen(() => import('../features/settings/PayoutsElsewhere.tsx')),
      ),
      own(
        '/partner/payouts/$payoutId',
        defineScreen(() => import('../features/payouts/PayoutDetail.tsx'), readsOfPayout),
      ),
    ]),
  ]),
])

/**
 * The screens of a portal. The address of its document never changes: it alone may be framed, and the page around the
 * frame keeps its own history. `first` is the path of the first screen.
 */
export function makePortalRouter(queryClient: QueryClient, first: string) {
  const history = createMemoryHistory({ initialEntries: [first] })
  history.createHref = portalAddress
  const router = createRouter({ routeTree: tree, context: { queryClient }, history, ...routerOptions })
  watchScreens(router)
  return router
}
