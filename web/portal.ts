import { showPortalIn } from './language.ts'
import { screenInAddress } from './portal-links.ts'
import { beginPortal } from './portal-session.ts'

/** Opens a partner's portal, in their language before the code of its screens is loaded, which keeps some words. */
export async function startPortal(words: Promise<void>) {
  const first = screenInAddress() ?? '/dashboard'
  const [portal] = await Promise.all([beginPortal(), words])
  await showPortalIn(portal)
  return (await import('./portal-screens.tsx')).portalScreens(first)
}
