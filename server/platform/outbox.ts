import { join } from 'node:path'
import type { Config } from './config/config.ts'

/** Folder of mails saved without a mail server. */
export const getOutboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'outbox')

/** The file of a saved mail, by the mail's name. */
export const savedMail = (config: Pick<Config, 'dataDir'>, name: string) => join(getOutboxFolder(config), `${name}.eml`)
