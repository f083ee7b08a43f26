import { consentMode, server } from './account.ts'

// tag managers load the script in their own way
export const scriptTag = (document.currentScript ||
  document.querySelector(`script[src*="/${server.split('/').pop()}.js"]`) ||
  document.head) as HTMLScriptElement

// and strip attributes, so that each may be in the script's address
const inAddress = new URL(scriptTag.src || server).searchParams
// the page may require more privacy than the account, never less
const modes = consentMode + scriptTag.getAttribute('data-consent') + inAddress.get('consent')

/** True if nothing happens before consent. */
export const waits = /required/.test(modes)
/** True if nothing is kept longer than the visit. */
export const visitOnly = /cookieless/.test(modes)
/** Base address of leads and clicks. */
export const endpoint = scriptTag.getAttribute('data-endpoint') || inAddress.get('endpoint') || server
