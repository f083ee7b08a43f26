import type * as room from '../data-transfer.ts'
import type { ExamplesOf } from './example.ts'

export const dataTransfer: ExamplesOf<typeof room> = {
  exportAccount: { refused: ['export_running', 'exports_busy', 'password_first'] },
}
