import { packZip } from '../../server/platform/zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'

const relations = (...each: string[]) => `<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`
export const relationshipXml = (id: string, kind: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}" ${more}/>`

/** The files of a workbook with these sheets, each the rows of its XML. */
export function filesOfWorkbook(sheets: Record<string, string>, { date1904 = false, styles = '', texts = '' } = {}) {
  const names = Object.keys(sheets)
  const listed = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(relationshipXml('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...names.map((_, at) => relationshipXml(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
      relationshipXml('rId98', 'styles', 'styles.xml'),
      relationshipXml('rId99', 'sharedStrings', '/xl/sharedStrings.xml'),
    ),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles || '<cellXfs><xf numFmtId="0"/></cellXfs>'}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts}</sst>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  } as Record<string, string>
}

/** Packs files into a zip. */
export async function zipFiles(files: Record<string, string | Buffer>, compressionLevel?: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  await packZip(
    Object.entries(files).map(([name, content]) => ({ name, pieces: () => [Buffer.from(content)] })),
    async (zip) => {
      bytes = Buffer.concat(await zip.toArray())
    },
    compressionLevel === undefined ? {} : { compressionLevel },
  )
  return bytes
}
