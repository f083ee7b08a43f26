/**
 * Two applications answer under one document: the small one of the screens before signing in, and the one behind it.
 * The address decides, so that nobody loads the other.
 */
const beforeSignIn = /^\/(auth\/(sign-in|reset-password)|user-setup)\/?$/
const root = document.getElementById('root')!

if (beforeSignIn.test(location.pathname)) import('./entry.tsx').then(({ showEntry }) => showEntry(root))
else import('./app.tsx').then(({ showApp }) => showApp(root))
