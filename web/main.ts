import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Look } from './ui/Look.tsx'
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
const beforeSignIn = /^\/(auth\/(sign-in|reset-password)|user-setup)\/?$/

const root = createRoot(document.getElementById('root')!)

async function show() {
  const application = beforeSignIn.test(location.pathname)
    ? (await import('./entry.tsx')).entry(show)
    : (await import('./app.tsx')).app()
  root.render(createElement(StrictMode, null, createElement(Look, null, application)))
}

show()
