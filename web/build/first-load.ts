import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const starts = {
  main: file('web/main.ts'),
  app: file('web/app.tsx'),
  beforeSignIn: file('web/before-sign-in.tsx'),
  dashboard: file('web/features/dashboard/Dashboard.tsx'),
  accounts: file('web/features/admin/AccountList.tsx'),
}

/** All but parts that few screens show, or that show late. */
const PIECE =
  /\/web\/(ui|lists|shared)\/(?!Activity|activity|DeliveryLog|TermsHistory|TreeRows|ExpiresField|TermsEditor|TermsFields|RuleDialog|TrySale|ProductsField|CountriesField|AmountRange|KeyFacts|StepMark|Timeline|FreshProof|passkey|single-sign-on|CodeField|QrDialog|QrCode|PictureField|PlayThroughDialog|Announce|announce-act|PageLinks|Prose|ReadAgreement|agreement|brand|erase-person|invoices|payout-invoice|countries|PartyFields|own-path|YourTerms|your-rates|ImportProgress|MakeCodes|TextTabs|HiddenPart|EarlierSalesField)/

/** Schemas of few forms with what they import, apart from those that every form loads. */
const SELDOM =
  /\/contract\/(accounting|agreement|applications|custom-domains|events|fraud|imports|incoming-webhooks|invoices|links|members|outgoing-webhooks|payment-files|payment-providers|payout-details|payout-form|payout-settings|payouts|pictures|portal)\.ts\?whole|\/features\/[^/]+\/contract\.ts\?whole|node_modules\/ibantools\//

/** Modules that validate with a schema of the contract, and those used only with them. */
const checking = ['ui/contract-form.tsx', 'ui/form-body.ts', 'ui/FormDialog.tsx', 'shared/RatesEffect.tsx'].map(
  (name) => file(`web/${name}`),
)

/**
 * Assigns a module to a chunk, so that a first screen takes few requests and loads only what it shows:
 * - `main`: shared by signing in and the application, with one style sheet for both and for the first screens;
 * - `app`: the application around its screens, with the pieces used by the first screens, their words and the contract's functions;
 * - a chunk for each first screen, charts in the dashboard's and the parts of lists in the accounts', as the dashboard
 * shows none, and `before-sign-in` for the screens there;
 * - `pieces`: all others except those of forms, so that a list loads nothing that only forms need;
 * - `forms` and `schemas`: the pieces of forms, and zod with the contract's schemas.
 * Undefined leaves the choice to the bundler, which alone would take several times as many requests.
 */
export function chooseChunk(id: string, context: Rolldown.ChunkingContext): string | undefined {
  if (SELDOM.test(id)) return undefined
  // An endpoint's module imports its whole contract.
  if (/\/node_modules\/zod\/|\/contract\/.*\?whole|zod-jitless/.test(id)) return 'schemas'
  if (/vite\/preload-helper|rolldown\/runtime/.test(id)) return 'main'
  const within = (start: keyof typeof starts) => reachable(starts[start], context).has(id)
  const isPiece = PIECE.test(id)
  const [app, beforeSignIn] = [within('app'), within('beforeSignIn')]
  const screens = (['dashboard', 'accounts'] as const).filter(within)
  const signedIn = app || screens.length > 0
  if (within('main') || (signedIn && beforeSignIn) || ((signedIn || beforeSignIn) && id.endsWith('.css'))) return 'main'
  if (app) return 'app'
  if (beforeSignIn) return isPiece || isSaidByPiece(id, context) ? 'fields' : 'before-sign-in'
  // A separate chunk would be the dashboard's ninth request.
  if (/\/web\/(ui|shared)\/(.*chart|history\.|OwnFigures)/i.test(id)) return 'dashboard'
  if (!signedIn) {
    const checks = () => checking.some((piece) => reachable(id, context).has(piece))
    return isPiece ? (checks() ? 'forms' : 'pieces') : undefined
  }
  const ofPieces = isPiece || /\/contract\//.test(id) || isSaidByPiece(id, context)
  return screens.length > 1 || (ofPieces && screens[0] === 'dashboard') ? 'app' : screens[0]
}

/** Whether these are words of a piece. */
const isSaidByPiece = (id: string, context: Rolldown.ChunkingContext) =>
  /\/web\/words\//.test(id) && context.getModuleInfo(id)?.importers.some((by) => PIECE.test(by))

const known = new WeakMap<object, Map<string, Set<string>>>()

/** Returns the modules imported by a start, directly or not, without those loaded later. */
function reachable(start: string, context: Rolldown.ChunkingContext): Set<string> {
  const sets = known.get(context) ?? new Map<string, Set<string>>()
  known.set(context, sets)
  let found = sets.get(start)
  if (!found) {
    found = new Set()
    const queue = [start]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (found.has(id)) continue
      found.add(id)
      queue.push(...(context.getModuleInfo(id)?.importedIds ?? []))
    }
    sets.set(start, found)
  }
  return found
}
