"""Tables, plots, widgets and the lab: what a person sees.

Heavy packages load with the module that needs them, never here.
"""
