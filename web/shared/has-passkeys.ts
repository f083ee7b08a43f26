/** Whether this browser has passkeys, which it offers on https and localhost only. */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function'
