import type { Config } from '../../platform/config/config.ts'

/** The beginning of the addresses given to partners. */
export const portalUrl = ({ appUrl }: Pick<Config, 'appUrl'>) => appUrl
