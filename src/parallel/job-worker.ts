/** The script that every worker runs. */
import { createJobHandler } from './answer-jobs.js';
import { listen } from './listen.js';

listen(createJobHandler);
