"""Excel workbooks: an annotator's own items to label offline, and the coordinator's combined record of a round."""
