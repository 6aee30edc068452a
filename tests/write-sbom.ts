import { writeFileSync } from 'node:fs';
import { softwareBill } from './support/software-bill.ts';

/** `make sbom`: writes what is shipped, with versions, licences and hashes. */
const file = 'sbom.cdx.json';
writeFileSync(file, softwareBill());
console.log(`${file} written`);
