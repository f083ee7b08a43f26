import type { Config } from '../../platform/config/config.ts'

/** The origin of the addresses given to partners and strangers: the account's own host while it is ready, else APP_URL. */
export const portalUrl = ({ appUrl }: Pick<Config, 'appUrl'>, { portalHost }: { portalHost: string | null }) =>
  portalHost === null ? appUrl : `https://${portalHost}`
