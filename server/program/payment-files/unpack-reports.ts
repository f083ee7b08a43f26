import { textOfFile } from '#contract/file-text.ts'
import { wrongField } from '../../platform/refusal.ts'
import { openZip } from '../../platform/zip.ts'

/** Most files in a zip of reports, and their size once unpacked. */
const MOST_FILES = 50
const MOST_BYTES = 5_000_000

/** Unpacks the texts of a zip, which is in base64. Refuses: `validation_failed` for one that is none, or is larger. */
export async function unpackReports(packed: string): Promise<string[]> {
  const zip = await openZip(Buffer.from(packed, 'base64'), MOST_FILES).catch(() => {
    throw wrongField('zip', 'results_zip', { most: MOST_FILES })
  })
  try {
    const files = [...zip.entries.values()].filter(({ fileName }) => !fileName.endsWith('/') && !isOfMac(fileName))
    if (files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > MOST_BYTES)
      throw wrongField('zip', 'results_zip', { most: MOST_FILES })
    const texts: string[] = []
    for (const { fileName } of files) {
      const bytes = await Array.fromAsync(zip.read(fileName)).catch(() => {
        throw wrongField('zip', 'results_zip', { most: MOST_FILES })
      })
      const { text } = textOfFile(Buffer.concat(bytes))
      // another zip, a picture
      if (text.includes('\0')) throw wrongField('zip', 'results_not_readable')
      texts.push(text)
    }
    return texts
  } finally {
    zip.close()
  }
}

/** Whether a Mac added this file to the zip, to keep its own notes. */
const isOfMac = (name: string) => name.startsWith('__MACOSX/') || name.split('/').at(-1) === '.DS_Store'
