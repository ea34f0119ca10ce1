"""Agreement on labels: a labels file in, one question's coefficients out, as text, JSON, CSV or LaTeX."""
