import { decisionRecords, releasedDocument, unrecordedBreaks } from './support/released-contract.ts';

/** Part of `make check`: the contract may break what was released only where a decision record says so. */
const breaks = unrecordedBreaks(releasedDocument(), decisionRecords());
for (const each of breaks) console.log(`breaks the released contract: ${each}`);
if (breaks.length > 0) {
  console.log(
    'name each path in a "**Breaks.**" line of a decision record (docs/decisions), or take the change back',
  );
  process.exitCode = 1;
}
