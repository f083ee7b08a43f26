import type { ServedConfiguration } from './configuration.ts'

/** Defined in the script; see renderEmbedScript. */
declare const tributaryConfiguration: ServedConfiguration

/** The account whose page the script is on. */
export const [
  selectors,
  fieldsContainer,
  submitButton,
  formsMode,
  program,
  server,
  names,
  plainNames,
  cookieDays,
  firstTouch,
  onlyIfReferred,
  consentMode,
  domains,
  checkoutDomains,
] = tributaryConfiguration
