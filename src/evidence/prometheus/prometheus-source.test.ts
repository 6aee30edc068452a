import { startFakePrometheus } from '../../../tests/support/fakes/prometheus.ts';
import { recordedSeries, testPrometheus } from '../../../tests/support/prometheus-suite.ts';

testPrometheus('a fake Prometheus', () => startFakePrometheus({ series: recordedSeries() }));
