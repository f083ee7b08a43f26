import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/font.css'
import './ui/base.css'
import './ui/layout.css'
import './ui/looks.css'
import { isOfThisDocument, loadWords } from './language.ts'
import { withinTwoMinutes } from './ui/load-limit.ts'
// Shared modules are part of this file, so that neither application waits for a third one.
import './api.ts'
import './ui/Button.tsx'
import './ui/Logo.tsx'
import './ui/Message.tsx'
import './ui/Page.tsx'
import './ui/Panel.tsx'

/**
 * One document serves three applications: the small one of the screens before signing in, the one behind it, and a
 * partner's portal. The address decides which, so that only one is loaded.
 */
const beforeSignIn = /^\/(auth\/(sign-in|reset-password|oidc)|user-setup|join\/confirm|mail\/unsubscribe\/[^/]+)$/

const inPortal = /^\/portal\/[^/]+$/

/** The screens people arrive at: their code is loaded in parallel with the application's. */
const arrivals: Record<string, () => Promise<unknown>> = {
  '/dashboard': () => import('./features/dashboard/Dashboard.tsx'),
  '/leads': () => import('./routes/leads.tsx'),
  '/partners': () => import('./routes/partners.tsx'),
  '/links': () => import('./features/links/LinkList.tsx'),
  '/payouts': () => import('./features/payouts/Payouts.tsx'),
  '/admin/accounts': () => import('./features/admin/AccountList.tsx'),
}

const root = createRoot(document.getElementById('root')!)

async function show() {
  try {
    const shown = await withinTwoMinutes(application())
    if (!hasGivenUp()) root.render(createElement(StrictMode, null, shown))
  } catch (error) {
    // Emptied, so that start.js shows the failure there.
    root.unmount()
    throw error
  }
}

/** Returns whether start.js has given up on the code and offered to try again. */
const hasGivenUp = () => document.getElementById('lost') !== null

const words = loadWords()

async function application() {
  const path = location.pathname.replace(/\/$/, '')
  if (inPortal.test(path)) return (await import('./portal.ts')).startPortal(words)
  await words
  if (!isOfThisDocument(location.pathname)) {
    location.reload()
    return null
  }
  if (beforeSignIn.test(path)) return (await import('./before-sign-in.tsx')).beforeSignIn(show)
  const app = import('./app.tsx')
  // A failure here is repeated and reported when the screen is opened.
  arrivals[path]?.().catch(() => undefined)
  return (await app).startApp()
}

show()
