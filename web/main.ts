import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/font.css'
import './ui/base.css'
import { withinTwoMinutes } from './within.ts'
// What both applications need comes with this file, so that neither waits for a third one.
import './words.ts'
import './api.ts'
import './ui/Button.tsx'
import './ui/Logo.tsx'
import './ui/Message.tsx'
import './ui/Page.tsx'
import './ui/Panel.tsx'

/**
 * Two applications answer under one document: the small one of the screens before signing in, and the one behind it.
 * The address decides, so that nobody loads the other.
 */
const beforeSignIn = /^\/(auth\/(sign-in|reset-password)|user-setup|mail\/unsubscribe\/[^/]+)$/

/** The screens people arrive at: their code is asked for beside the application's, not after it. */
const arrivals: Record<string, () => Promise<unknown>> = {
  '/dashboard': () => import('./features/dashboard/Dashboard.tsx'),
  '/admin/accounts': () => import('./features/admin/AccountList.tsx'),
}

const root = createRoot(document.getElementById('root')!)

async function show() {
  try {
    const shown = await withinTwoMinutes(application())
    if (!saidLost()) root.render(createElement(StrictMode, null, shown))
  } catch (error) {
    // On the empty page start.js says so.
    root.unmount()
    throw error
  }
}

/** Whether start.js has given the code up and asked to try again. */
const saidLost = () => document.getElementById('lost') !== null

async function application() {
  const path = location.pathname.replace(/\/$/, '')
  if (beforeSignIn.test(path)) return (await import('./entry.tsx')).entry(show)
  const app = import('./app.tsx')
  // What fails here fails again where the screen is opened, and is told there.
  arrivals[path]?.().catch(() => undefined)
  return (await app).app()
}

show()
