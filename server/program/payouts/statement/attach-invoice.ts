// Factur-X 1.0, which is ZUGFeRD 2: the invoice as data inside its picture.

const NAME = 'factur-x.xml'
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const PROPERTIES = {
  DocumentFileName: { value: NAME, says: 'The name of the embedded XML document' },
  DocumentType: { value: 'INVOICE', says: 'The type of the hybrid document in capital letters' },
  Version: { value: '1.0', says: 'The version of the standard of the embedded XML document' },
  ConformanceLevel: { value: 'EN 16931', says: 'The conformance level of the embedded XML document' },
}

/** The four properties, and the schema that an archive must find beside them. */
const METADATA = `
<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
${Object.entries(PROPERTIES)
  .map(([name, { value }]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${Object.entries(PROPERTIES)
  .map(
    ([name, { says }]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${says}</pdfaProperty:description>
</rdf:li>`,
  )
  .join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`

/** The calls of the library that its types leave out. */
type Archive = { file(data: Buffer, options: object): void; appendXML(xml: string): void }

/** Attaches an electronic invoice to a PDF for archives, and says so in its metadata. */
export function attachInvoice(doc: PDFKit.PDFDocument, xml: string, at: Date) {
  const archive = doc as unknown as Archive
  archive.file(Buffer.from(xml), {
    name: NAME,
    type: 'text/xml',
    relationship: 'Alternative',
    creationDate: at,
    modifiedDate: at,
  })
  archive.appendXML(METADATA)
}
